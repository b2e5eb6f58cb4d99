package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher of a checkout, with a Maven that only says what Maven says. */
class LauncherTest {
  private static final String MAVEN =
      """
      #!/bin/sh
      echo "[INFO] Scanning for projects..."
      echo "[INFO] Building Flyball scheduler 0.1.0-SNAPSHOT                          [2/3]"
      sleep 1
      echo "[INFO] Building Flyball command line 0.1.0-SNAPSHOT                       [3/3]"
      sleep 1
      if [ -e broken ]; then
        echo "[ERROR] something does not compile"
        exit 1
      fi
      mkdir -p cli/target
      cp made.jar cli/target/flyball-cli.jar
      echo > cli/target/classpath
      """;
  private static final String MAIN =
      """
      package dev.flyball.cli;
      public final class Main {
        public static void main(String[] args) {
          System.out.println("ran " + String.join(" ", args));
        }
      }
      """;

  private final SourceTree tree = SourceTree.ours();
  @TempDir private Path folder;
  private Path house;

  private record Said(int exit, String out, String err) {}

  @BeforeEach
  void a_checkout() throws IOException {
    assumeThat(Path.of("/bin/sh")).exists();
    house = Files.createDirectory(folder.resolve("house"));
    Files.createDirectories(house.resolve(".build"));
    Files.createDirectories(house.resolve(".mvn"));
    Files.createDirectories(house.resolve("cli/src/main"));
    Files.writeString(house.resolve("pom.xml"), "<project/>");
    Files.writeString(house.resolve("cli/pom.xml"), "<project/>");
    for (var name : List.of("flyball", ".build/launch.sh")) {
      Files.copy(tree.root().resolve(name), house.resolve(name));
    }
    jar();
  }

  /** A command that only repeats its words. */
  private void jar() throws IOException {
    var source = Files.writeString(folder.resolve("Main.java"), MAIN);
    var classes = Files.createDirectory(folder.resolve("classes"));
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), source.toString()))
        .isZero();
    var name = "dev/flyball/cli/Main.class";
    try (var out = new JarOutputStream(Files.newOutputStream(house.resolve("made.jar")))) {
      out.putNextEntry(new JarEntry(name));
      out.write(Files.readAllBytes(classes.resolve(name)));
    }
  }

  private Path maven() throws IOException {
    var bin = Files.createDirectories(folder.resolve("bin"));
    var mvn = Files.writeString(bin.resolve("mvn"), MAVEN);
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    return bin;
  }

  /** The folders of the system, as far as they are needed, without Maven. */
  private Path tools() throws IOException {
    var bin = Files.createDirectories(folder.resolve("tools"));
    for (var name :
        List.of(
            "sh",
            "dirname",
            "readlink",
            "find",
            "sed",
            "date",
            "sleep",
            "mkdir",
            "rm",
            "cp",
            "mv",
            "tail",
            "head",
            "cat",
            "flock")) {
      for (var place : List.of("/usr/bin", "/bin")) {
        var tool = Path.of(place, name);
        if (Files.exists(tool) && Files.notExists(bin.resolve(name))) {
          var script = "#!/bin/sh\nexec " + tool + " \"$@\"\n";
          assertThat(Files.writeString(bin.resolve(name), script).toFile().setExecutable(true))
              .isTrue();
        }
      }
    }
    return bin;
  }

  private Said run(String path, String... command) throws IOException, InterruptedException {
    var out = Files.createTempFile(folder, "out", "");
    var err = Files.createTempFile(folder, "err", "");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("PATH", path);
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process = builder.start();
    process.getOutputStream().close();
    int exit = process.waitFor();
    return new Said(exit, Files.readString(out), Files.readString(err));
  }

  private Said flyball(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("/bin/sh", house.resolve("flyball").toString()));
    command.addAll(List.of(words));
    return run(maven() + ":" + tools(), command.toArray(String[]::new));
  }

  @Test
  void the_first_start_says_which_module_is_built_and_the_next_says_nothing() throws Exception {
    var first = flyball("status", "now");
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.out()).isEqualTo("ran status now\n");
    assertThat(first.err())
        .contains("flyball: building (first use)\n")
        .contains("flyball: building 2 of 3: scheduler\n")
        .contains("flyball: building 3 of 3: command line\n")
        .doesNotContain("minute");
    var second = flyball("again");
    assertThat(second.out()).isEqualTo("ran again\n");
    assertThat(second.err()).isEmpty();
  }

  @Test
  void a_build_that_fails_shows_why_and_where_its_log_is() throws Exception {
    Files.createFile(house.resolve("broken"));
    var said = flyball("status");
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err())
        .contains("[ERROR] something does not compile", "the build failed; its log is ");
    assertThat(said.out()).isEmpty();
  }

  @Test
  void without_maven_it_says_what_to_install() throws Exception {
    var said = run(tools().toString(), "/bin/sh", house.resolve("flyball").toString(), "status");
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains("there is no mvn on the PATH", "install it");
    assertThat(said.out()).isEmpty();
  }

  @Test
  void without_a_jdk_it_says_which_and_how() throws Exception {
    // Wherever there is one on this machine, it is not seen.
    var script = ". ./.build/launch.sh; me=flyball; look_at() { version=17; }; find_jdk";
    var said = run(tools().toString(), "/bin/sh", "-c", "cd '" + house + "' && " + script);
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains("needs a JDK 21 or newer", "point JAVA_HOME at it");
  }

  @Test
  void a_folder_that_was_moved_makes_its_class_archive_anew() throws Exception {
    assertThat(flyball("first").exit()).isZero();
    awaitArchive();
    var moved = folder.resolve("moved here");
    Files.move(house, moved);
    house = moved;
    // Times of folders may have changed with the move; what matters is what is started.
    assertThat(flyball("second").out()).isEqualTo("ran second\n");
    awaitArchive();
    assertThat(flyball("third").out()).isEqualTo("ran third\n");
  }

  @Test
  void a_warm_up_that_was_killed_long_ago_is_done_again() throws Exception {
    flyball("first");
    awaitArchive();
    var apps = house.resolve("cli/target/app");
    var app = apps.resolve(Files.readString(apps.resolve("current")).strip());
    Files.delete(app.resolve("classes.jsa"));
    Files.delete(app.resolve("archived-by"));
    var mark = Files.createDirectory(app.resolve("classes.jsa.lock"));
    flyball("second");
    assertThat(mark).as("one that may still be at work").exists();
    Files.setLastModifiedTime(mark, FileTime.fromMillis(0));
    flyball("third");
    awaitArchive();
  }

  /** Until the archive of classes is for the place in which the folder is. */
  private void awaitArchive() throws IOException, InterruptedException {
    var apps = house.resolve("cli/target/app");
    var app = apps.resolve(Files.readString(apps.resolve("current")).strip());
    try (var watch = app.getFileSystem().newWatchService()) {
      app.register(
          watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!isArchivedFor(app)) {
        assertThat(System.nanoTime()).as("a class archive in " + app).isLessThan(end);
        var key = watch.poll(1, TimeUnit.SECONDS);
        if (key != null) {
          key.pollEvents();
          key.reset();
        }
      }
    }
  }

  private static boolean isArchivedFor(Path app) throws IOException {
    var by = app.resolve("archived-by");
    // The lock goes last; a folder that is moved before would take it along.
    return Files.exists(app.resolve("classes.jsa"))
        && Files.notExists(app.resolve("classes.jsa.lock"))
        && Files.exists(by)
        && Files.readString(by, StandardCharsets.UTF_8).strip().endsWith("|" + app);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flyball",
        "bench/run",
        ".build/launch.sh",
        ".build/review-in-actions.sh",
        "dist/src/bin/flyball",
        "dist/src/try.sh",
        "dist/src/stranger.sh"
      })
  void a_script_is_one_that_a_shell_can_read(String name) throws Exception {
    var file = tree.root().resolve(name);
    var shell = Files.readAllLines(file).getFirst().contains("bash") ? "bash" : "sh";
    var said = run(System.getenv("PATH"), shell, "-n", file.toString());
    assertThat(said.err()).isEmpty();
    assertThat(said.exit()).isZero();
  }
}
