package dev.flyball.history.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.history.Attempts;
import dev.flyball.history.StoredSums;
import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunStart;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlWriterTest {
  @TempDir private Path folder;

  @Test
  void a_commit_that_happened_though_it_seemed_to_fail_is_not_repeated() throws Exception {
    var location = new HistoryLocation.File(folder.resolve("history.db"));
    var attempts = new Attempts(1);
    var open = new OpenRun("run", RunStart.of("batch", "batch", AnswerOrigin.REAL));
    var database = Database.of(location, HistoryTimeouts.USUAL);
    new SchemaSetup(database, HistoryTimeouts.USUAL).prepare();
    try (var writer = new SqlWriter(database.openForWriting())) {
      var batch = new ArrayList<PendingWrite>();
      batch.add(new PendingWrite.Began(open, Attempts.NOON, new Receipt()));
      writer.write(batch, false);
      writer.write(batch, true);
      batch.clear();
      for (int i = 0; i < 5; i++) {
        batch.add(
            new PendingWrite.Tried(open, open.nextCall(), attempts.next("run"), new Receipt()));
      }
      writer.write(batch, false);
      writer.write(batch, true);
    }
    var sums = new StoredSums(location);
    assertThat(sums.rows("select count(*) from runs")).containsExactly("1");
    assertThat(sums.rows("select count(*) from calls")).containsExactly("5");
    assertThat(sums.tallies()).isEqualTo(sums.talliesAnew());
  }
}
