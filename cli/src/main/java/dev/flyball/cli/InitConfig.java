package dev.flyball.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flyball.cli.config.Configuration;
import dev.flyball.cli.help.Examples;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.run.ExitCode;
import dev.flyball.run.config.ConfigFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball init}: a project's file of settings to begin with. */
@Command(
    name = "init",
    description = {
      "Writes a commented flyball.yaml into this folder. Everything in it is commented out until"
          + " you need it."
    },
    footer = {"", "Exit codes: 0 written, 2 there is a flyball.yaml already."})
@Examples({
  "flyball init",
  "flyball init --schema    also a JSON schema, for completion in editors"
})
final class InitConfig implements Callable<Integer> {
  static final String SCHEMA = "flyball.schema.json";

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  @Option(
      names = "--schema",
      description = "Also writes " + SCHEMA + ", and names it in flyball.yaml.")
  private boolean schema;

  @Override
  public Integer call() throws IOException {
    var folder = main.config().folder();
    var text = template();
    if (schema) {
      var made = AsciiJson.pretty(ShowConfig.Schema.of(Main.command(Configuration.none()))) + "\n";
      write(folder.resolve(SCHEMA), made, true);
      text = "# yaml-language-server: $schema=" + SCHEMA + "\n" + text;
    }
    return write(folder.resolve(ConfigFile.PROJECT), text, false)
        ? ExitCode.DONE.code()
        : ExitCode.REFUSED.code();
  }

  private boolean write(Path file, String text, boolean over) throws IOException {
    try {
      Files.writeString(
          file,
          text,
          over ? StandardOpenOption.CREATE : StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);
      spec.commandLine().getOut().println("wrote " + file.getFileName());
      return true;
    } catch (FileAlreadyExistsException there) {
      spec.commandLine()
          .getErr()
          .println("flyball init: " + file.getFileName() + " exists already; nothing was changed");
      return false;
    }
  }

  private static String template() throws IOException {
    try (@Nullable InputStream in = InitConfig.class.getResourceAsStream("flyball.yaml")) {
      if (in == null) {
        throw new IOException("this build has no template");
      }
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
