package dev.flyball.bench.limiters;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A program that limiters are made of. */
public enum LimiterTool {
  NGINX("nginx", "nginx-light"),
  HAPROXY("haproxy", "haproxy"),
  REDIS("redis-server", "redis-server"),
  NODE("node", "nodejs"),
  NPM("npm", "npm");

  private static final List<String> BESIDE_THE_PATH = List.of("/usr/sbin", "/usr/local/sbin");

  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");

  private final String command;
  private final String debian;

  LimiterTool(String command, String debian) {
    this.command = command;
    this.debian = debian;
  }

  String debian() {
    return debian;
  }

  /** Where it is on this machine. */
  Optional<Path> find() {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), BESIDE_THE_PATH.stream())
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, command))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** How it is started. */
  String path() {
    return find().map(Path::toString).orElse(command);
  }

  /** Which version it says it is; empty if it is not here. */
  Optional<String> version() {
    return find()
        .flatMap(
            path -> {
              try {
                var asked = new ProcessBuilder(path.toString(), this == NGINX ? "-v" : "--version");
                var process = asked.redirectErrorStream(true).start();
                var said = new String(process.getInputStream().readAllBytes(), UTF_8);
                return Optional.of(VERSION.matcher(said)).filter(Matcher::find).map(Matcher::group);
              } catch (IOException silent) {
                return Optional.empty();
              }
            });
  }

  @Override
  public String toString() {
    return command;
  }
}
