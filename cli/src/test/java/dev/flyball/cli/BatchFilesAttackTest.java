package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are none, as input and as output of a batch. */
@Timeout(60)
final class BatchFilesAttackTest {
  @TempDir private Path folder;
  private CommandDesk desk;
  private InputStream typed;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "a system with such devices");
    typed = System.in;
    desk = new CommandDesk(folder).provider(CommandDesk.quick());
    desk.questions(3);
  }

  @AfterEach
  void end() {
    System.setIn(typed);
    desk.close();
  }

  private CommandDesk.Screen batch(String in, String out) {
    return desk.flyball(
        "batch", in, "-o", out, "--base-url", desk.simulator().uri().toString(), "--no-history");
  }

  private static Set<String> names(Path where) throws IOException {
    try (var files = Files.list(where)) {
      return new TreeSet<>(files.map(Path::toString).toList());
    }
  }

  private void assertRefused(CommandDesk.Screen screen, Set<String> before) throws Exception {
    assertThat(screen.exit()).as(screen.err()).isEqualTo(2);
    assertThat(screen.err()).startsWith("flyball batch: ").doesNotContain("\tat ", "defect");
    assertThat(names(folder)).isEqualTo(before);
    assertThat(desk.simulator().stats().requests()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dev/full",
        "/dev/null",
        "/dev/stdout",
        "/dev/zero",
        "/dev/fd/1",
        "/dev/new.jsonl",
        "/proc/self/fd/1",
        "."
      })
  void answers_do_not_go_to_a_device(String device) throws Exception {
    var before = names(folder);
    var devices = names(Path.of("/dev"));

    var screen = batch(desk.file("in.jsonl").toString(), device);

    assertRefused(screen, before);
    assertThat(screen.err()).contains("-o");
    assertThat(names(Path.of("/dev"))).isEqualTo(devices);
  }

  private Path pipe(String name) throws Exception {
    var pipe = desk.file(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  @Test
  void answers_do_not_go_into_a_pipe_or_by_a_link_into_one() throws Exception {
    var pipe = pipe("pipe");
    Files.createSymbolicLink(desk.file("link.jsonl"), pipe);
    Files.createSymbolicLink(desk.file("full.jsonl"), Path.of("/dev/full"));
    Files.createSymbolicLink(desk.file("nowhere.jsonl"), desk.file("missing/file"));
    var before = names(folder);

    for (var out : List.of("pipe", "link.jsonl", "full.jsonl", "nowhere.jsonl")) {
      assertRefused(batch(desk.file("in.jsonl").toString(), desk.file(out).toString()), before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.errors.jsonl", "out.progress.json"})
  void what_lies_beside_the_answers_is_a_plain_file(String name) throws Exception {
    pipe(name);
    var before = names(folder);
    var out = desk.file("out.jsonl").toString();
    assertRefused(batch(desk.file("in.jsonl").toString(), out), before);
    Files.delete(desk.file(name));

    var victim = desk.write("victim.txt", "not yours");
    Files.createSymbolicLink(desk.file(name), victim);
    var linked = names(folder);
    assertRefused(batch(desk.file("in.jsonl").toString(), out), linked);
    assertThat(victim).hasContent("not yours");
  }

  @Test
  void a_link_that_was_named_is_followed() throws Exception {
    var real = Files.createFile(desk.file("real.jsonl"));
    Files.createSymbolicLink(desk.file("link.jsonl"), real);

    var screen = batch(desk.file("in.jsonl").toString(), desk.file("link.jsonl").toString());

    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(Files.isSymbolicLink(desk.file("link.jsonl"))).isTrue();
    assertThat(Files.readAllLines(real)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/dev/urandom", "/dev/full", "/dev/null"})
  void prompts_do_not_come_from_a_device(String device) throws Exception {
    var before = names(folder);

    assertRefused(batch(device, desk.file("out.jsonl").toString()), before);
    assertRefused(
        desk.flyball(
            "batch", device, "--base-url", desk.simulator().uri().toString(), "--no-history"),
        before);
  }

  @Test
  void prompts_come_through_a_named_pipe() throws Exception {
    var pipe = pipe("prompts");
    var line = CommandDesk.openAi("q0", "m", "say 0");
    Thread.startVirtualThread(
        () -> {
          try {
            Files.writeString(pipe, line + "\n");
          } catch (IOException gone) {
            throw new IllegalStateException(gone);
          }
        });

    var screen = batch(pipe.toString(), desk.file("out.jsonl").toString());

    assertThat(screen.exit()).as(screen.err()).isZero();
    assertThat(desk.ids("out.jsonl")).containsExactly("q0");
    assertThat(desk.file("out.jsonl.input")).doesNotExist();
  }

  /** A line without an end. */
  private static final class Endless extends InputStream {
    @Override
    public int read() {
      return 'a';
    }

    @Override
    public int read(byte[] into, int from, int length) {
      Arrays.fill(into, from, from + length, (byte) 'a');
      return length;
    }
  }

  @Test
  void a_line_without_an_end_is_refused_and_leaves_nothing() throws Exception {
    System.setIn(new Endless());
    var before = names(folder);

    var screen = batch("-", desk.file("out.jsonl").toString());

    assertRefused(screen, before);
    assertThat(screen.err()).contains("longer than 64 MiB");
  }

  @Test
  void a_pipe_of_wrong_lines_leaves_nothing() throws Exception {
    System.setIn(new ByteArrayInputStream("no JSON\n".getBytes(StandardCharsets.UTF_8)));
    var before = names(folder);

    assertRefused(batch("-", desk.file("out.jsonl").toString()), before);
  }

  @Test
  void a_report_that_cannot_be_written_is_said_and_takes_no_answer() throws Exception {
    var screen = desk.batch("--no-history", "--report", "/dev/full");

    assertThat(screen.exit()).isEqualTo(3);
    assertThat(screen.err()).contains("but the report is not").doesNotContain("\tat ");
    assertThat(desk.ids("out.jsonl")).isEqualTo(CommandDesk.numbered(3));
  }
}
