package dev.flyball.review.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.patch.Change;
import dev.flyball.review.patch.DiffLimits;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.TextDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A repository in the making, and the real Git beside it to compare with. */
public final class Workshop {
  /** What Git counted of a file. */
  record Counted(String path, String added, String deleted) {
    boolean isUnchanged() {
      return added.equals("0") && deleted.equals("0");
    }

    static Counted of(FileChange file) {
      return file.binary()
          ? new Counted(file.path(), "-", "-")
          : new Counted(file.path(), "" + file.added(), "" + file.deleted());
    }
  }

  private final Path root;
  private int commits;

  private Workshop(Path root) {
    this.root = root;
  }

  public static Workshop in(Path folder) throws IOException {
    var workshop = new Workshop(Files.createDirectories(folder));
    workshop.git("init", "-q", "-b", "main");
    workshop.git("config", "core.autocrlf", "false");
    return workshop;
  }

  /** The whole change of a range. */
  public static Change diff(Repository repository, ChangeRange range) throws SourceUnavailable {
    var files = new ArrayList<FileChange>();
    repository.diff(repository.sides(range), DiffLimits.USUAL, files::add);
    return new Change(files);
  }

  public Path root() {
    return root;
  }

  public Workshop file(String path, String content) throws IOException {
    return file(path, content.getBytes(StandardCharsets.UTF_8));
  }

  public Workshop file(String path, byte[] content) throws IOException {
    var file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    return this;
  }

  public Workshop move(String from, String to) throws IOException {
    Files.createDirectories(root.resolve(to).getParent());
    Files.move(root.resolve(from), root.resolve(to));
    return this;
  }

  public Workshop delete(String path) throws IOException {
    Files.delete(root.resolve(path));
    return this;
  }

  public Workshop link(String path, String to) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.createSymbolicLink(root.resolve(path), Path.of(to));
    return this;
  }

  public Workshop executable(String path, boolean yes) {
    assertThat(root.resolve(path).toFile().setExecutable(yes)).isTrue();
    return this;
  }

  public Workshop submodule(String path, String commit) throws IOException {
    Files.createDirectories(root.resolve(path));
    git("update-index", "--add", "--cacheinfo", "160000," + commit.repeat(40) + "," + path);
    return this;
  }

  public Workshop commit(String message) throws IOException {
    git("add", "-A");
    return commitStaged(message);
  }

  public Workshop commitStaged(String message) throws IOException {
    git("commit", "-q", "--allow-empty", "-m", message + " " + commits++);
    return this;
  }

  public List<String> history() throws IOException {
    return git("rev-list", "--reverse", "--no-merges", "HEAD").lines().toList();
  }

  /** What Git says by itself; the test fails if it fails. */
  public String git(String... arguments) throws IOException {
    return TextDecoder.of(bytes(root, arguments));
  }

  static byte[] bytes(Path folder, String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                "git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.safecrlf=false"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    var process = builder.start();
    process.getOutputStream().close();
    var out = process.getInputStream().readAllBytes();
    assertThat(process.onExit().join().exitValue()).as(String.join(" ", arguments)).isZero();
    return out;
  }

  /** The witness: {@code git diff-tree --numstat -M}. */
  public static List<Counted> counted(Path folder, String commit) throws IOException {
    return counted(
        TextDecoder.of(
            bytes(
                folder,
                "diff-tree",
                "-r",
                "--root",
                "--no-commit-id",
                "--numstat",
                "-M",
                "-z",
                commit)));
  }

  public static List<Counted> counted(String numstat) {
    var counted = new ArrayList<Counted>();
    var fields = numstat.split("\0", -1);
    for (int i = 0; i < fields.length && !fields[i].isEmpty(); i++) {
      var columns = fields[i].split("\t", 3);
      var path = columns[2];
      if (path.isEmpty()) {
        i += 2;
        path = fields[i];
      }
      counted.add(new Counted(path, columns[0], columns[1]));
    }
    return counted;
  }

  /** Whatever is known to be hard about diffs, in a few commits. */
  public static Workshop ofEdgeCases(Path folder) throws IOException {
    var all = in(folder);
    all.file("plain.txt", lines(1, 60))
        .file("one.txt", "one\n")
        .file("no-newline.txt", "a\nb")
        .file("no-newline-both.txt", "a\nb")
        .file("crlf.txt", "a\r\nb\r\nc\r\n")
        .file("empty.txt", "")
        .file("gone.txt", "gone\nfor\ngood\n")
        .file("gone-empty.txt", "")
        .file("headers.txt", "-- a/old\n++ b/new\n@@ -1 +1 @@\ndiff --git a/x b/x\n-- \n")
        .file("binary.bin", new byte[] {1, 0, 2, 3})
        .file("latin.txt", "gr\u00fc\u00df\n".getBytes(StandardCharsets.ISO_8859_1))
        .file("odd/with space.txt", lines(1, 20))
        .file("odd/x b/y", "x\n")
        .file("odd/ä ö.txt", "x\n")
        .file("odd/quote\".txt", "x\n")
        .file("odd/tab\there.txt", "x\n")
        .file("odd/line\nfeed.txt", "x\n")
        .file("odd/back\\slash.txt", "x\n")
        .file("odd/-dash.txt", "x\n")
        .file("odd/a/x b/a/x", "x\n")
        .file("a/x", "x\n")
        .file("b/x", "x\n")
        .file("odd/日本語.txt", "x\n")
        .file("feeds.txt", "a\fb\n\u2028\u2029\u0085\u000b\nc\n")
        .file("blank.txt", "a\n\n\nb\n\n\nc\n")
        .file("move-me.txt", lines(100, 160))
        .file("move-and-edit.txt", lines(200, 260))
        .file("becomes-link", lines(1, 3))
        .file("run.sh", "#!/bin/sh\n")
        .link("link", "plain.txt")
        .link("becomes-file", "plain.txt")
        .link("moves", "one.txt")
        .submodule("module", "1")
        .commitStaged("the module alone")
        .git("add", "-A", "--", ".", ":!module");
    all.commitStaged("root of the rest");
    all.file("plain.txt", lines(1, 60).replace("line 30\n", "").replace("line 5\n", "five\n"))
        .file("one.txt", "two\n")
        .file("no-newline.txt", "a\nb\n")
        .file("no-newline-both.txt", "a\nc")
        .file("crlf.txt", "a\nb\r\nd\r\n")
        .file("empty.txt", "now\nfull\n")
        .delete("gone.txt")
        .delete("gone-empty.txt")
        .file("new-empty.txt", "")
        .file("headers.txt", "@@ -9,9 +9,9 @@\n-- a/older\n++ b/newer\n--- a\n+++ b\n")
        .file("binary.bin", new byte[] {1, 0, 2, 4, 5})
        .file("latin.txt", "gr\u00fc\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1))
        .file("odd/with space.txt", lines(2, 21))
        .file("odd/x b/y", "y\n")
        .file("odd/ä ö.txt", "y\n")
        .file("odd/quote\".txt", "y\n")
        .file("odd/tab\there.txt", "y\n")
        .file("odd/line\nfeed.txt", "y\n")
        .file("odd/back\\slash.txt", "y\n")
        .file("odd/-dash.txt", "y\n")
        .file("odd/日本語.txt", "y\n")
        .file("feeds.txt", "a\fb\n\u2028\u2029\u0085\u000b!\nd\n")
        .file("blank.txt", "a\n\nb\n\n\n\nc\n")
        .delete("link")
        .link("link", "one.txt")
        .file("new.txt", "")
        .git("update-index", "--cacheinfo", "160000," + "2".repeat(40) + ",module");
    all.git("add", "-A", "--", ".", ":!module");
    all.commitStaged("edits");
    all.move("move-me.txt", "deep/moved b/me.txt")
        .move("move-and-edit.txt", "deep/ä moved.txt")
        .file("deep/ä moved.txt", lines(200, 260).replace("line 230", "thirty"))
        .move("odd/x b/y", "odd/x c/y")
        .move("moves", "moved")
        .executable("run.sh", true)
        .executable("plain.txt", true)
        .git("add", "-A", "--", ".", ":!module");
    all.commitStaged("moves and modes");
    all.executable("plain.txt", false)
        .file("plain.txt", lines(1, 55))
        .executable("odd/x c/y", true)
        .executable("odd/line\nfeed.txt", true)
        .delete("becomes-link")
        .link("becomes-link", "nowhere at all")
        .delete("becomes-file")
        .file("becomes-file", lines(1, 4))
        .file("long.txt", "x".repeat(200_000) + "\n" + "y".repeat(100_000) + "\n")
        .file("was-text.txt", "text\n")
        .git("add", "-A", "--", ".", ":!module");
    all.commitStaged("other sorts");
    all.file("long.txt", "x".repeat(200_000) + "\n" + "z".repeat(100_000) + "\n")
        .file("was-text.txt", new byte[] {'t', 0, '\n'})
        .delete("binary.bin")
        .file("new.bin", new byte[] {0, 0, 0})
        .git("add", "-A", "--", ".", ":!module");
    all.git("rm", "-q", "--cached", "module");
    all.commitStaged("without the module");
    all.commitStaged("nothing");
    return all;
  }

  /** More commits, of random edits. */
  public Workshop edited(long seed, int count) throws IOException {
    var random = new Random(seed);
    for (int commit = 0; commit < count; commit++) {
      for (int i = 0; i < 4; i++) {
        file("random/" + random.nextInt(6) + ".txt", text(random));
      }
      commit("random " + seed);
    }
    return this;
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    int lines = random.nextInt(40);
    for (int i = 0; i < lines; i++) {
      text.append(
          switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "-- x";
            case 2 -> "++ y";
            case 3 -> "@@ -1 +1 @@";
            case 4 -> "\\ No newline at end of file";
            case 5 -> "}\r";
            default -> "line " + i;
          });
      if (i + 1 < lines || random.nextBoolean()) {
        text.append('\n');
      }
    }
    return text.toString();
  }

  public static String lines(int from, int to) {
    var text = new StringBuilder();
    for (int i = from; i <= to; i++) {
      text.append("line ").append(i).append('\n');
    }
    return text.toString();
  }
}
