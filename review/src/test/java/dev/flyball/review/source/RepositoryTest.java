package dev.flyball.review.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flyball.review.patch.Change;
import dev.flyball.review.patch.FileChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryTest {
  @TempDir Path folder;

  @Test
  void a_range_of_three_dots_begins_where_the_branch_left() throws Exception {
    var workshop = Workshop.in(folder).file("x", "1\n").commit("root");
    workshop.git("checkout", "-q", "-b", "topic");
    workshop.file("y", "1\n2\n").commit("of the topic");
    workshop.git("checkout", "-q", "main");
    workshop.file("x", "2\n").commit("of main");
    try (var repository = Repository.open(folder)) {
      assertThat(paths(Workshop.diff(repository, ChangeRange.of("main...topic"))))
          .containsExactly("y");
      assertThat(paths(Workshop.diff(repository, ChangeRange.of("main..topic"))))
          .containsExactly("x", "y");
      assertThat(repository.mergeBase("main", "topic")).isEqualTo(repository.commit("topic~1"));
      assertThat(repository.commits(ChangeRange.of("main...topic")))
          .extracting(Commit::paths)
          .containsExactly(List.of("y"));
      assertThat(repository.commits(ChangeRange.of("main...topic")).getFirst().subject())
          .isEqualTo("of the topic 1");
      assertThat(repository.sides(ChangeRange.of("main...topic")).old())
          .isEqualTo(new TreeState.At(repository.commit("topic~1")));
    }
  }

  @Test
  void what_is_staged_and_what_is_on_disk_are_two_things() throws Exception {
    var workshop =
        Workshop.in(folder).file("x", "1\n").file("y", "1\n").file("z", Workshop.lines(1, 9));
    workshop.commit("root").file("x", "2\n").git("add", "x");
    workshop.file("y", "2\n").file("untracked", "1\n").move("z", "moved");
    try (var repository = Repository.open(folder)) {
      assertThat(paths(Workshop.diff(repository, new ChangeRange.Staged()))).containsExactly("x");
      assertThat(paths(Workshop.diff(repository, new ChangeRange.Worktree())))
          .containsExactly("x", "y", "z");
      assertThat(repository.content(new TreeState.Index(), "x")).contains(bytes("2\n"));
      assertThat(repository.content(new TreeState.Index(), "y")).contains(bytes("1\n"));
      assertThat(repository.content(new TreeState.Disk(), "y")).contains(bytes("2\n"));
      assertThat(repository.content(at(repository, "HEAD"), "x")).contains(bytes("1\n"));
      assertThat(repository.commits(new ChangeRange.Staged())).isEmpty();
    }
  }

  @Test
  void before_the_first_commit_everything_staged_is_new() throws Exception {
    Workshop.in(folder).file("x", "1\n").git("add", "x");
    try (var repository = Repository.open(folder)) {
      var change = Workshop.diff(repository, new ChangeRange.Staged());
      assertThat(change.files())
          .extracting(FileChange::kind)
          .containsExactly(FileChange.Kind.ADDED);
      assertThat(paths(Workshop.diff(repository, new ChangeRange.Worktree()))).containsExactly("x");
    }
  }

  @Test
  void a_file_has_its_content_at_every_revision() throws Exception {
    Workshop.ofEdgeCases(folder);
    try (var repository = Repository.open(folder)) {
      assertThat(repository.content(at(repository, "HEAD~4"), "odd/line\nfeed.txt"))
          .contains(bytes("y\n"));
      assertThat(repository.content(at(repository, "HEAD~4"), "odd/-dash.txt"))
          .contains(bytes("y\n"));
      assertThat(repository.content(at(repository, "HEAD~4"), "odd/ä ö.txt"))
          .contains(bytes("y\n"));
      assertThat(repository.content(at(repository, "HEAD~4"), "link")).contains(bytes("one.txt"));
      assertThat(repository.content(at(repository, "HEAD"), "moved")).contains(bytes("one.txt"));
      for (var none :
          List.of(
              "no",
              "odd",
              "",
              "/",
              "../x",
              "./plain.txt",
              "odd/*.txt",
              ":/",
              "module",
              "a\0b",
              "-x",
              ".git/config",
              "plain.txt/x")) {
        assertThat(repository.content(at(repository, "HEAD~4"), none)).as(none).isEmpty();
        assertThat(repository.content(new TreeState.Disk(), none)).as(none).isEmpty();
        assertThat(repository.content(new TreeState.Index(), none)).as(none).isEmpty();
      }
    }
  }

  @Test
  void content_on_disk_is_never_outside() throws Exception {
    var outside = Files.createDirectories(folder.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    var workshop = Workshop.in(folder.resolve("inside")).link("door", "../outside");
    try (var repository = Repository.open(workshop.root())) {
      assertThat(repository.content(new TreeState.Disk(), "door/secret")).isEmpty();
      assertThat(repository.content(new TreeState.Disk(), "door")).contains(bytes("../outside"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--output=x", "-x", "", " ", "a..b", "a\nb", "a\0b", "--upload-pack=touch x"})
  void a_revision_is_never_an_option(String name) throws Exception {
    Workshop.in(folder).file("x", "1\n").commit("root");
    assertThatThrownBy(() -> new ChangeRange.Single(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not begin with -");
    assertThatThrownBy(() -> new TreeState.At(name)).isInstanceOf(IllegalArgumentException.class);
    try (var repository = Repository.open(folder)) {
      assertThatThrownBy(() -> repository.commit(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void an_unknown_revision_is_named() throws Exception {
    Workshop.in(folder).file("x", "1\n").commit("root");
    try (var repository = Repository.open(folder)) {
      for (var name :
          List.of(
              "nowhere",
              "HEAD~7",
              "HEAD:x",
              "HEAD^{tree}",
              "0".repeat(40),
              "@{9}",
              "^HEAD",
              "a b",
              "$(touch x)",
              "é")) {
        assertThatThrownBy(() -> Workshop.diff(repository, new ChangeRange.Between(name, "HEAD")))
            .as(name)
            .isInstanceOfSatisfying(
                SourceUnavailable.class,
                why -> {
                  assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.UNKNOWN_REVISION);
                  assertThat(why).hasMessageContaining("'" + name + "'");
                });
      }
    }
  }

  @Test
  void a_folder_that_is_no_repository_is_said_to_be_none() throws Exception {
    var bare = Files.createDirectories(folder.resolve("bare"));
    for (var none : List.of(Path.of("/"), folder.resolve("missing"), bare)) {
      assertThatThrownBy(() -> Repository.open(none))
          .isInstanceOfSatisfying(
              SourceUnavailable.class,
              why -> assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.NOT_A_REPOSITORY));
    }
  }

  @Test
  void a_folder_within_is_enough() throws Exception {
    Workshop.in(folder).file("deep/er/x", "1\n").commit("root");
    try (var repository = Repository.open(folder.resolve("deep/er"))) {
      assertThat(repository.root().toRealPath()).isEqualTo(folder.toRealPath());
      assertThat(paths(Workshop.diff(repository, new ChangeRange.Single("HEAD"))))
          .containsExactly("deep/er/x");
    }
  }

  @Test
  void a_shallow_clone_says_that_it_ends() throws Exception {
    var workshop = Workshop.in(folder.resolve("whole"));
    workshop.file("x", "1\n").commit("root").file("x", "2\n").commit("next");
    var clone = folder.resolve("clone");
    workshop.git("clone", "-q", "--depth=1", "file://" + workshop.root(), clone.toString());
    try (var repository = Repository.open(clone)) {
      assertThatThrownBy(() -> Workshop.diff(repository, new ChangeRange.Single("HEAD")))
          .isInstanceOfSatisfying(
              SourceUnavailable.class,
              why -> assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.SHALLOW));
      assertThatThrownBy(() -> repository.commit("HEAD~1"))
          .hasMessageContaining("git fetch --unshallow");
    }
  }

  @Test
  void histories_that_never_met_have_no_common_commit() throws Exception {
    var workshop = Workshop.in(folder).file("x", "1\n").commit("root");
    workshop.git("checkout", "-q", "--orphan", "other");
    workshop.file("x", "2\n").commit("another root");
    try (var repository = Repository.open(folder)) {
      assertThatThrownBy(() -> Workshop.diff(repository, ChangeRange.of("main...other")))
          .isInstanceOfSatisfying(
              SourceUnavailable.class,
              why -> assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.NO_COMMON_COMMIT));
    }
  }

  /** Each of these would write a file if it ran. */
  @Test
  void nothing_that_a_repository_sets_up_is_run() throws Exception {
    var ran = folder.resolve("ran");
    var touch = "touch '" + ran + "'; cat";
    var workshop = Workshop.in(folder.resolve("made"));
    workshop
        .file(".gitattributes", "*.txt diff=evil filter=evil\n")
        .file("x.txt", "1\n")
        .commit("root");
    for (var setting :
        List.of(
            "diff.evil.textconv",
            "diff.evil.command",
            "diff.external",
            "filter.evil.clean",
            "filter.evil.smudge",
            "core.pager",
            "pager.diff",
            "pager.log",
            "core.fsmonitor",
            "core.sshCommand")) {
      workshop.git("config", setting, touch);
    }
    workshop.git("config", "filter.evil.required", "true");
    workshop.git("config", "diff.noprefix", "true");
    workshop.git("config", "diff.renames", "false");
    workshop.git("config", "color.ui", "always");
    workshop.git("config", "diff.context", "0");
    for (var hook : List.of("post-index-change", "fsmonitor-watchman", "post-checkout")) {
      var file = workshop.root().resolve(".git/hooks/" + hook);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "#!/bin/sh\n" + touch + "\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
    workshop.file("x.txt", Workshop.lines(1, 3));
    try (var repository = Repository.open(workshop.root())) {
      assertThat(Workshop.diff(repository, new ChangeRange.Worktree()).added()).isEqualTo(3);
      assertThat(Workshop.diff(repository, new ChangeRange.Staged()).files()).isEmpty();
      assertThat(paths(Workshop.diff(repository, new ChangeRange.Single("HEAD"))))
          .containsExactly(".gitattributes", "x.txt");
      assertThat(repository.commits(new ChangeRange.Single("HEAD"))).hasSize(1);
      assertThat(repository.content(new TreeState.Disk(), "x.txt")).isPresent();
    }
    assertThat(ran).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=b", "a.b", "a b", "=", "a]b", "\u00e4"})
  void a_filter_of_any_name_is_emptied(String name) throws Exception {
    var ran = folder.resolve("ran");
    var workshop = Workshop.in(folder.resolve("made")).file("x", "1\n").commit("root");
    Files.writeString(workshop.root().resolve(".git/info/attributes"), "* filter=" + name + "\n");
    workshop.git("config", "filter." + name + ".clean", "touch '" + ran + "'; cat");
    workshop.file("x", "2\n");
    try (var repository = Repository.open(workshop.root())) {
      assertThat(Workshop.diff(repository, new ChangeRange.Worktree()).added()).isEqualTo(1);
    }
    assertThat(ran).doesNotExist();
  }

  @Test
  void a_tracked_folder_that_looks_like_a_repository_is_not_entered() throws Exception {
    var workshop = Workshop.in(folder);
    workshop
        .file("docs/b/HEAD", "ref: refs/heads/main\n")
        .file("docs/b/config", "[core]\n\tbare = false\n\tworktree = .\n")
        .file("docs/b/objects/none", "")
        .file("docs/b/refs/none", "")
        .commit("root");
    assertThatThrownBy(() -> Repository.open(folder.resolve("docs/b")))
        .isInstanceOf(SourceUnavailable.class);
  }

  @Test
  void what_replaces_an_object_here_is_not_what_was_committed() throws Exception {
    var workshop = Workshop.in(folder).file("x", "1\n").file("y", "2\n").commit("root");
    workshop.git("replace", id(workshop, ":x"), id(workshop, ":y"));
    try (var repository = Repository.open(folder)) {
      assertThat(repository.content(at(repository, "HEAD"), "x")).contains(bytes("1\n"));
    }
  }

  @Test
  void no_link_is_followed_on_the_way_to_a_file_on_disk() throws Exception {
    var workshop = Workshop.in(folder).file("real/x", "1\n").commit("root");
    workshop.link("linked", "real").link("git", ".git");
    try (var repository = Repository.open(folder)) {
      assertThat(repository.content(new TreeState.Disk(), "real/x")).isPresent();
      assertThat(repository.content(new TreeState.Disk(), "linked/x")).isEmpty();
      assertThat(repository.content(new TreeState.Disk(), "git/config")).isEmpty();
      assertThat(repository.content(new TreeState.Disk(), ".git/config")).isEmpty();
      assertThat(repository.content(new TreeState.Disk(), "real/../.git/config")).isEmpty();
      assertThat(repository.content(new TreeState.Disk(), "linked")).contains(bytes("real"));
    }
  }

  @Test
  void a_command_that_takes_too_long_is_ended() throws Exception {
    var workshop = Workshop.in(folder).file("x", "1\n").commit("root");
    workshop.git("config", "alias.forever", "!sleep 60");
    var program = GitCommand.program(System.getenv("PATH")).orElseThrow();
    var git = new GitCommand(program, folder, List.of(), Duration.ofMillis(200));
    assertThatThrownBy(() -> git.need("forever"))
        .isInstanceOfSatisfying(
            SourceUnavailable.class,
            why -> assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.TIMED_OUT));
  }

  @Test
  void the_command_is_not_taken_from_the_folder_that_is_read() throws Exception {
    Files.writeString(folder.resolve("git"), "#!/bin/sh\n");
    assertThat(folder.resolve("git").toFile().setExecutable(true)).isTrue();
    assertThat(GitCommand.program("." + ":" + "")).isEmpty();
    assertThat(GitCommand.program(null)).isEmpty();
    assertThat(GitCommand.program("relative:" + folder)).contains(folder.resolve("git"));
  }

  @Test
  void without_git_a_range_is_refused_in_one_line() throws Exception {
    Workshop.in(folder).file("x", "1\n").commit("root");
    for (var path : Arrays.asList(null, "", folder.toString())) {
      assertThatThrownBy(() -> Repository.open(folder, path))
          .isInstanceOfSatisfying(
              SourceUnavailable.class,
              why -> assertThat(why.reason()).isEqualTo(SourceUnavailable.Reason.GIT_MISSING))
          .hasMessage(
              "reviewing a range of commits needs the git command, and none is on the PATH; install"
                  + " Git, or review the folder or a patch");
    }
  }

  @Test
  void a_range_is_read_from_its_dots() {
    assertThat(ChangeRange.of("a...b")).isEqualTo(new ChangeRange.SinceFork("a", "b"));
    assertThat(ChangeRange.of("a..b")).isEqualTo(new ChangeRange.Between("a", "b"));
    assertThat(ChangeRange.of("a..")).isEqualTo(new ChangeRange.Between("a", "HEAD"));
    assertThat(ChangeRange.of("...b")).isEqualTo(new ChangeRange.SinceFork("HEAD", "b"));
    assertThat(ChangeRange.of("a")).isEqualTo(new ChangeRange.Single("a"));
    assertThatThrownBy(() -> ChangeRange.of("a....b")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ChangeRange.of("a..b..c"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static TreeState at(Repository repository, String revision) throws SourceUnavailable {
    return new TreeState.At(repository.commit(revision));
  }

  private static List<String> paths(Change change) throws IOException {
    return change.files().stream().map(FileChange::path).toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String id(Workshop workshop, String name) throws IOException {
    return workshop.git("rev-parse", name).strip();
  }
}
