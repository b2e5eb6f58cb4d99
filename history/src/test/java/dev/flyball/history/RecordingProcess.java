package dev.flyball.history;

import dev.flyball.history.record.AnswerOrigin;
import dev.flyball.history.record.AttemptRecord;
import dev.flyball.history.record.CallKey;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.history.record.Receipt;
import dev.flyball.history.record.RunStart;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;

/**
 * A process that records attempts until it has recorded as many as it was told to, or is killed. It
 * says the name of each when it is acknowledged, and not before.
 */
final class RecordingProcess {
  private static final int UNACKNOWLEDGED = 50;

  private RecordingProcess() {}

  /** The arguments are the file, a name for this process, and how many attempts. */
  public static void main(String[] args) throws Exception {
    var attempts = new Attempts(args[1].hashCode());
    try (var history =
        History.open(
            new HistoryLocation.File(Path.of(args[0])), InstantSource.fixed(Attempts.NOON))) {
      var run = history.begin(RunStart.of("batch", args[1], AnswerOrigin.REAL));
      var receipts = new ArrayDeque<Receipt>();
      int said = 0;
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        var made = attempts.next(run);
        var call =
            new CallKey(
                made.call().lane(),
                made.call().model(),
                made.call().lens(),
                "",
                args[1] + "-" + i,
                made.call().estimatedInput(),
                made.call().maxOutput(),
                made.call().tenant());
        receipts.add(
            history.record(
                new AttemptRecord(
                    run,
                    call,
                    made.number(),
                    made.outcome(),
                    made.throttledBy(),
                    made.usage(),
                    made.prices(),
                    made.latency(),
                    made.waits(),
                    made.at())));
        if (receipts.size() > UNACKNOWLEDGED) {
          said = say(receipts.remove(), args[1], said);
        }
      }
      while (!receipts.isEmpty()) {
        said = say(receipts.remove(), args[1], said);
      }
    }
  }

  private static int say(Receipt receipt, String name, int number) throws InterruptedException {
    if (receipt.await() == Receipt.Fate.KEPT) {
      System.out.println(name + "-" + number);
    }
    return number + 1;
  }
}
