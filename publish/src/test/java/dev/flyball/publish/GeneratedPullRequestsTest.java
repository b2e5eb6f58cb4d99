package dev.flyball.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pull requests that nobody has thought of: edits, new files, files that are gone or renamed, lines
 * without an end, names of all sorts. Whatever is found wherever in them, the host takes what is
 * posted.
 */
final class GeneratedPullRequestsTest {
  private static final List<String> NAMES =
      List.of(
          "src/Main.java",
          "src/a b.txt",
          "docs/äöü.md",
          "lib/x[1].js",
          "quote\"s.py",
          "deep/er/and/deeper/file.go",
          "#hash.rb",
          "perc%20ent.c");

  @TempDir Path folder;

  /** So many together are two hundred. */
  @ParameterizedTest
  @CsvSource({"GITHUB, 1, 110", "GITLAB, 2, 90"})
  void everything_that_is_posted_is_taken(HostKind kind, long seed, int pulls) throws Exception {
    var random = new Random(seed);
    int comments = 0;
    int summaries = 0;
    try (var scene = new Scene(kind, folder);
        var door = scene.door()) {
      for (int i = 0; i < pulls; i++) {
        int number = pull(scene, random);
        var pull = door.read(scene.name(number));
        var changes = scene.changes(door, pull);
        var claims = new ArrayList<Claim>();
        for (var file : changes) {
          for (int j = 0; j < 4; j++) {
            int line = 1 + random.nextInt(70);
            boolean left = random.nextInt(4) == 0;
            var path = left ? file.oldPath().orElse(file.path()) : file.path();
            claims.add(
                Scene.claim(
                    new Place.Lines(
                        path,
                        line,
                        1,
                        line + random.nextInt(30),
                        40,
                        left ? DiffSide.LEFT : DiffSide.RIGHT),
                    List.of(Severity.values()).get(random.nextInt(3)),
                    "Claim " + claims.size(),
                    "Something is wrong here: " + random.nextInt(1_000) + "\n/close @you #1"));
          }
        }
        var review =
            scene.stored(
                "20261118-200000-0123abcd",
                door,
                pull,
                Scene.review(scene.identified(pull, claims.toArray(Claim[]::new))));
        var posting = door.post(review, false);
        assertThat(posting.remarks()).as("pull request %d of seed %d", number, seed).isEmpty();
        assertThat(posting.comments()).isLessThanOrEqualTo(10);
        assertThat(scene.comments(number)).hasSize(posting.comments());
        comments += posting.comments();
        summaries += scene.summaries(number).size();
      }
      assertThat(scene.forge.count(it -> it.status() >= 400 && it.status() != 404))
          .as("requests that were turned away")
          .isZero();
    }
    assertThat(summaries).isEqualTo(pulls);
    assertThat(comments).as("comments that were taken").isGreaterThan(pulls * 3);
  }

  private static int pull(Scene scene, Random random) throws Exception {
    scene.git.say("checkout", "-q", "--orphan", "side" + random.nextLong(Long.MAX_VALUE));
    scene.git.say("rm", "-rfq", "--ignore-unmatch", ".");
    for (var name : NAMES.subList(0, 2 + random.nextInt(NAMES.size() - 2))) {
      scene.put(name, text(random, 5 + random.nextInt(60)));
    }
    var target = scene.commit("before");
    var here = files(scene.git.folder());
    for (var file : here) {
      switch (random.nextInt(7)) {
        case 0 -> Files.delete(file);
        case 1 -> Files.move(file, file.resolveSibling("moved" + random.nextInt(1_000)));
        case 2, 3, 4 -> Files.writeString(file, edited(Files.readString(file), random));
        default -> {}
      }
    }
    scene.put("new/file" + random.nextInt(100) + ".txt", text(random, 1 + random.nextInt(40)));
    return scene.forge.open(Scene.REPOSITORY, target, scene.commit("after"));
  }

  private static List<Path> files(Path folder) throws Exception {
    try (var all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(it -> !folder.relativize(it).startsWith(".git"))
          .sorted()
          .toList();
    }
  }

  private static String text(Random random, int lines) {
    var text = new StringBuilder();
    var end = random.nextInt(5) == 0 ? "\r\n" : "\n";
    for (int i = 0; i < lines; i++) {
      text.append(line(random)).append(i == lines - 1 && random.nextInt(4) == 0 ? "" : end);
    }
    return text.toString();
  }

  /** Some look like what a diff is made of. */
  private static String line(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> "";
      case 1 -> "-- minus";
      case 2 -> "++ plus";
      case 3 -> "@@ -1,2 +3,4 @@";
      case 4 -> "diff --git a/x b/x";
      case 5 -> "\\ No newline at end of file";
      default -> "line " + random.nextInt(10_000) + " zß水🍎";
    };
  }

  private static String edited(String text, Random random) {
    var lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
    for (int i = random.nextInt(4) + 1; i > 0 && !lines.isEmpty(); i--) {
      int at = random.nextInt(lines.size());
      switch (random.nextInt(3)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(at, line(random) + "\n");
        default -> lines.set(at, line(random) + "\n");
      }
    }
    return String.join("", lines);
  }
}
