package dev.flyball.review.patch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Patches of any length pass; {@code -Dpatch.megabytes=100} is the long form. */
class LargePatchTest {
  private static final long BYTES = Integer.getInteger("patch.megabytes", 4) * 1_000_000L;

  /** A patch that is made while it is read. */
  private static final class Endless extends InputStream {
    private final byte[] part;
    private final byte[] end;
    private long left;
    private int at;
    private boolean ending;

    Endless(String part, long times, String end) {
      this.part = part.getBytes(StandardCharsets.UTF_8);
      this.end = end.getBytes(StandardCharsets.UTF_8);
      this.left = times;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("read by the block");
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      var from = ending ? end : part;
      if (at == from.length) {
        at = 0;
        if (ending) {
          return -1;
        }
        ending = --left <= 0;
        from = ending ? end : part;
        if (from.length == 0) {
          return -1;
        }
      }
      int count = Math.min(length, from.length - at);
      System.arraycopy(from, at, into, offset, count);
      at += count;
      return count;
    }
  }

  @Test
  void many_files_pass_one_by_one() throws Exception {
    var file =
        "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,100 +1,100 @@\n"
            + "-0123456789 0123456789 0123456789\n+9876543210 9876543210 9876543210\n".repeat(100);
    long times = BYTES / file.length();
    var patch = Patch.open(new Endless(file, times, ""), new DiffLimits(8 << 20, Long.MAX_VALUE));
    long files = 0;
    long added = 0;
    for (var next = patch.next(); next.isPresent(); next = patch.next()) {
      files++;
      added += next.get().added();
      assertThat(next.get().hunks().getFirst().lines()).hasSize(200);
    }
    assertThat(files).isEqualTo(times);
    assertThat(added).isEqualTo(times * 100);
  }

  @Test
  void a_whole_change_keeps_no_more_than_it_may() throws Exception {
    var file = "--- a/x\n+++ b/x\n@@ -1,100 +1,100 @@\n" + "-0123456789\n+9876543210\n".repeat(100);
    long times = BYTES / file.length();
    var keep = new DiffLimits(100_000, 1_000_000);
    var change = Patch.read(new Endless(file, times, ""), keep);
    assertThat(change.added()).isEqualTo(times * 100);
    long kept =
        change.files().stream()
            .flatMap(each -> each.hunks().stream())
            .flatMap(hunk -> hunk.lines().stream())
            .mapToLong(line -> line.text().length() + DiffLimits.LINE)
            .sum();
    assertThat(kept).isBetween(500_000L, 1_000_000L);
    assertThat(change.files().stream().filter(each -> !each.whole())).isNotEmpty();
  }

  @Test
  void one_large_file_is_counted_without_its_text() throws Exception {
    var line = "+0123456789 0123456789 0123456789\n";
    long times = BYTES / line.length();
    var head = "--- /dev/null\n+++ b/x\n@@ -0,0 +1," + times + " @@\n";
    var patch = Patch.open(join(head, new Endless(line, times, "")), DiffLimits.USUAL);
    var file = patch.next().orElseThrow();
    assertThat(file.added()).isEqualTo(times);
    assertThat(patch.kept()).isLessThanOrEqualTo(DiffLimits.USUAL.aFile());
    assertThat(file.whole()).isEqualTo(file.hunks().size() == 1);
  }

  @Test
  void one_long_line_is_passed_over() throws Exception {
    var head = "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+";
    var patch =
        Patch.open(
            join(head, new Endless("x".repeat(1000), BYTES / 1000, "\n+y\n")),
            new DiffLimits(100_000, 100_000));
    var file = patch.next().orElseThrow();
    assertThat(file.added()).isEqualTo(2);
    assertThat(file.whole()).isFalse();
  }

  private static InputStream join(String head, InputStream rest) {
    return new java.io.SequenceInputStream(
        new java.io.ByteArrayInputStream(head.getBytes(StandardCharsets.UTF_8)), rest);
  }
}
