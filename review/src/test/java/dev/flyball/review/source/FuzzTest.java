package dev.flyball.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.patch.Change;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.patch.TextDecoder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Patches that were damaged at random. Git is the judge: what {@code git apply --numstat} takes is
 * counted as it counts, and what it does not take is refused or counted, but breaks nothing.
 *
 * <p>{@code -Dpatches=100000} is the long form; {@code -Dpatches.seed=N} runs one seed again,
 * {@code -Dpatches.first=N} begins there.
 */
class FuzzTest {
  private static final int BATCH = 200;
  private static final int PATCHES = Integer.getInteger("patches", 400);
  private static final List<String> INTRUDERS =
      List.of(
          "diff --git a/in b/in",
          "--- a/in",
          "+++ b/in",
          "@@ -1 +1 @@",
          "@@ -1,2 +1,3 @@ f()",
          "@@ -0,0 +1 @@",
          "\\ No newline at end of file",
          "-- ",
          "-",
          "+",
          " ",
          "",
          "\r",
          "GIT binary patch",
          "literal 5",
          "Binary files a/in and b/in differ",
          "old mode 100644",
          "new mode 100755",
          "new file mode 100644",
          "deleted file mode 100644",
          "rename from in",
          "rename to out",
          "index 123..456 100644",
          "similarity index 90%",
          "--- /dev/null",
          "+++ /dev/null",
          "\"");

  @TempDir Path folder;

  /** What is known of all trials. */
  private static final class Tally {
    private int taken;
    private int refused;
  }

  @Test
  void whatever_git_counts_is_counted_equally_and_nothing_breaks() throws Exception {
    var patches = patches(Workshop.ofEdgeCases(folder.resolve("made")).edited(3, 6));
    var trials = Files.createDirectories(folder.resolve("trials"));
    long first = Long.getLong("patches.seed", Long.getLong("patches.first", 0));
    int count = Long.getLong("patches.seed") == null ? PATCHES : 1;
    var tally = new Tally();
    for (long from = first; from < first + count; from += BATCH) {
      var batch = new ArrayList<byte[]>();
      for (long seed = from; seed < Math.min(from + BATCH, first + count); seed++) {
        var damaged = damaged(patches, new Random(seed));
        batch.add(damaged);
        Files.write(trials.resolve("" + (seed - from)), damaged);
      }
      apply(trials, batch.size());
      for (int i = 0; i < batch.size(); i++) {
        compare(batch.get(i), trials.resolve("" + i), from + i, tally);
      }
    }
    System.out.printf(
        "%d damaged patches: git took %d and counted as we did; of the others we refused %d%n",
        count, tally.taken, tally.refused);
    assertThat(count == 1 || tally.taken > count / 10).as("git took enough to compare").isTrue();
  }

  private static void compare(byte[] patch, Path trial, long seed, Tally tally) throws IOException {
    var ours = read(patch, seed);
    // Of a broken binary Git complains, leaves out the rest, and says that all was well.
    boolean taken =
        Files.readString(Path.of(trial + ".exit")).strip().equals("0")
            && !TextDecoder.of(Files.readAllBytes(Path.of(trial + ".err"))).startsWith("error:");
    if (!taken) {
      tally.refused += ours instanceof PatchRefused ? 1 : 0;
      return;
    }
    if (ours instanceof PatchRefused refused
        && (refused.rule() == PatchRefused.Rule.NUMBER || isCutOff(refused, patch))) {
      return;
    }
    tally.taken++;
    var theirs = Workshop.counted(TextDecoder.of(Files.readAllBytes(Path.of(trial + ".out"))));
    assertThat(ours)
        .as("-Dpatches.seed=%d is taken by git: %s%n%s", seed, theirs, TextDecoder.of(patch))
        .isInstanceOf(Change.class);
    var files = ((Change) ours).files();
    boolean merged = files.stream().anyMatch(file -> file.kind() == FileChange.Kind.TYPE_CHANGED);
    assertThat(lines(files.stream().map(Workshop.Counted::of), merged))
        .as("-Dpatches.seed=%d", seed)
        .isEqualTo(lines(theirs.stream(), merged));
  }

  /** Of each file that has any; or in all, where two of Git's are one of ours. */
  private static List<String> lines(Stream<Workshop.Counted> files, boolean inAll) {
    var counted = files.filter(file -> !file.added().equals("-") && !file.isUnchanged()).toList();
    return inAll
        ? List.of(
            "+%d -%d"
                .formatted(
                    counted.stream().mapToLong(file -> Long.parseLong(file.added())).sum(),
                    counted.stream().mapToLong(file -> Long.parseLong(file.deleted())).sum()))
        : counted.stream().map(file -> "+" + file.added() + " -" + file.deleted()).toList();
  }

  /** Git passes over the header of a hunk in which the patch ends; we say that it is cut off. */
  private static boolean isCutOff(PatchRefused refused, byte[] patch) {
    long lines = new String(patch, StandardCharsets.ISO_8859_1).lines().count();
    return refused.line() == lines && patch[patch.length - 1] != '\n';
  }

  private static Object read(byte[] patch, long seed) {
    try {
      return Patch.read(new ByteArrayInputStream(patch));
    } catch (PatchRefused refused) {
      return refused;
    } catch (IOException | RuntimeException broken) {
      throw new AssertionError("-Dpatches.seed=" + seed, broken);
    }
  }

  private static void apply(Path trials, int count) throws IOException {
    var script =
        "i=0; while [ $i -lt %d ]; do git apply --numstat -z $i >$i.out 2>$i.err; echo $? >$i.exit; i=$((i+1)); done"
            .formatted(count);
    var builder = new ProcessBuilder("sh", "-c", script).directory(trials.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_DIR", trials.resolve("none").toString());
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    var process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    process.getInputStream().readAllBytes();
    assertThat(process.onExit().join().exitValue()).isZero();
  }

  private static List<byte[]> patches(Workshop workshop) throws IOException {
    var patches = new ArrayList<byte[]>();
    for (var commit : workshop.history()) {
      for (var form : List.of("-M", "-U0", "--binary", "-C -C --find-copies-harder", "-M -U1")) {
        var arguments =
            new ArrayList<>(List.of("diff-tree", "-r", "-p", "--root", "--no-commit-id"));
        arguments.addAll(List.of(form.split(" ", -1)));
        arguments.add(commit);
        var patch = Workshop.bytes(workshop.root(), arguments.toArray(String[]::new));
        if (patch.length > 0 && patch.length < 100_000) {
          patches.add(patch);
          patches.addAll(single(patch));
        }
      }
    }
    return patches;
  }

  /** File by file, so that damage stays where it was done. */
  private static List<byte[]> single(byte[] patch) {
    var parts = new String(patch, StandardCharsets.ISO_8859_1).split("(?m)^(?=diff --git )", -1);
    return Arrays.stream(parts)
        .filter(part -> !part.isBlank())
        .map(part -> part.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }

  private static byte[] damaged(List<byte[]> patches, Random random) {
    var patch = patches.get(random.nextInt(patches.size()));
    if (random.nextInt(4) == 0) {
      var joined = new ByteArrayOutputStream();
      joined.writeBytes(patch);
      joined.writeBytes(patches.get(random.nextInt(patches.size())));
      patch = joined.toByteArray();
    }
    int times = random.nextInt(4);
    for (int i = 0; i < times; i++) {
      patch = random.nextInt(4) == 0 ? byteDamaged(patch, random) : lineDamaged(patch, random);
    }
    return patch;
  }

  private static byte[] byteDamaged(byte[] patch, Random random) {
    if (patch.length == 0) {
      return patch;
    }
    var other = patch.clone();
    int at = random.nextInt(patch.length);
    switch (random.nextInt(4)) {
      case 0 -> other[at] = (byte) random.nextInt(256);
      case 1 -> other[at] = (byte) "0123456789+-@ \\\"\n\r\t/".charAt(random.nextInt(20));
      case 2 -> other = Arrays.copyOf(patch, at);
      default -> {
        for (int i = at; i < other.length; i++) {
          if (other[i] >= '0' && other[i] <= '9') {
            other[i] = (byte) ('0' + random.nextInt(10));
            return other;
          }
        }
      }
    }
    return other;
  }

  private static byte[] lineDamaged(byte[] patch, Random random) {
    var lines =
        new ArrayList<>(
            List.of(new String(patch, StandardCharsets.ISO_8859_1).split("(?<=\n)", -1)));
    int at = random.nextInt(lines.size());
    var intruder = INTRUDERS.get(random.nextInt(INTRUDERS.size())) + "\n";
    switch (random.nextInt(7)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(at, lines.get(random.nextInt(lines.size())));
      case 2 -> lines.add(at, intruder);
      case 3 -> lines.set(at, intruder);
      case 4 -> lines.set(at, lines.get(at).replace("\n", "\r\n"));
      case 5 -> lines.add(intruder);
      default -> lines.set(at, lines.get(at).replaceFirst("^ $|^ \n", "\n"));
    }
    return String.join("", lines).getBytes(StandardCharsets.ISO_8859_1);
  }
}
