package dev.flyball.bench.limiters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What of the tools this machine has, or lets us install: programs as packages of Debian, by root
 * alone; packages of npm into a folder of the build. Whatever is done here is said.
 */
public final class LimiterTools {
  private static final long MINUTES_TO_INSTALL = 10;
  private static final List<String> SCRIPTS =
      List.of("provider.mjs", "express.mjs", "fastify.mjs", "flexible.mjs", "sdk.mjs");
  private static final Pattern PACKAGE = Pattern.compile("\"([^\"]+)\": \"(\\d[\\d.]+)\"");
  private static final Path FOLDER =
      Path.of(System.getProperty("flyball.house", ""), "bench", "target", "limiters")
          .toAbsolutePath();

  private LimiterTools() {}

  /** Sees to the tools; gives back those that are not to be had. */
  public static Set<LimiterTool> prepare(Set<LimiterTool> needed)
      throws IOException, InterruptedException {
    Set<LimiterTool> missing = EnumSet.noneOf(LimiterTool.class);
    for (var tool : needed) {
      if (tool.find().isEmpty() && !installed(tool)) {
        missing.add(tool);
      }
    }
    if (needed.contains(LimiterTool.NPM)
        && !missing.contains(LimiterTool.NODE)
        && !missing.contains(LimiterTool.NPM)
        && !packages()) {
      missing.add(LimiterTool.NPM);
    }
    return missing;
  }

  /** A script, beside the packages that it imports. */
  static String script(String name) {
    return FOLDER.resolve(name).toString();
  }

  private static boolean installed(LimiterTool tool) throws IOException, InterruptedException {
    if (!System.getProperty("user.name", "").equals("root")
        || !Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      say("there is no " + tool + "; Debian has it as " + tool.debian());
      return false;
    }
    say("there is no " + tool + ": installing " + tool.debian() + " by apt-get");
    var install =
        List.of("apt-get", "install", "-y", "-q", "--no-install-recommends", tool.debian());
    Files.createDirectories(FOLDER);
    return (ended(install, FOLDER) == 0
            || (ended(List.of("apt-get", "update", "-q"), FOLDER) == 0
                && ended(install, FOLDER) == 0))
        && tool.find().isPresent();
  }

  /** The packages of npm, anew whenever the list of them has changed. */
  private static boolean packages() throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    for (var script : SCRIPTS) {
      Files.writeString(FOLDER.resolve(script), ConfigTemplate.named(script).text());
    }
    var wanted = ConfigTemplate.named("package.json").text();
    var done = FOLDER.resolve("installed.json");
    if (Files.exists(done) && Files.readString(done).equals(wanted)) {
      return true;
    }
    say("installing packages of npm into " + FOLDER);
    delete(FOLDER.resolve("node_modules"));
    Files.writeString(FOLDER.resolve("package.json"), wanted);
    var install =
        List.of(
            LimiterTool.NPM.path(),
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--ignore-scripts");
    if (ended(install, FOLDER) != 0) {
      return false;
    }
    Files.writeString(done, wanted);
    return true;
  }

  private static int ended(List<String> command, Path folder)
      throws IOException, InterruptedException {
    var log = folder.resolve("install.log");
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // Debian starts what it installs, unless the machine seems to be in maintenance.
    builder.environment().put("RUNLEVEL", "1");
    builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
    var process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(MINUTES_TO_INSTALL, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      say(command.getFirst() + " took too long; its log is " + log);
      return -1;
    }
    if (process.exitValue() != 0) {
      say(command.getFirst() + " failed; its log is " + log);
    }
    return process.exitValue();
  }

  /** What is here, of which version. */
  public static String versions() {
    var versions = new ArrayList<String>();
    for (var tool : LimiterTool.values()) {
      tool.version().ifPresent(version -> versions.add(tool + " " + version));
    }
    var wanted = PACKAGE.matcher(ConfigTemplate.named("package.json").text());
    while (wanted.find()) {
      versions.add(wanted.group(1) + " " + wanted.group(2));
    }
    return String.join(", ", versions);
  }

  /** Deletes a folder and everything in it. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var all = Files.walk(folder)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private static void say(String what) {
    System.err.println("limiters: " + what);
  }
}
