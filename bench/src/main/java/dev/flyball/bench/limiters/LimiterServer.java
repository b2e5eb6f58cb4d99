package dev.flyball.bench.limiters;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** How a limiter is configured, and started in front of a provider. */
public sealed interface LimiterServer {
  /** What it needs on this machine. */
  Set<LimiterTool> needs();

  /**
   * Starts one that nobody has used.
   *
   * @param folder empty, for whatever it writes
   * @param provider the port behind it
   */
  RunningLimiter start(Path folder, int provider) throws IOException, InterruptedException;

  /**
   * nginx.
   *
   * @param zone what it counts: {@code limit_req_zone} or {@code limit_conn_zone}
   * @param limit where the line is
   * @param status how it refuses; empty for its default, 503
   * @param after in a Retry-After that is added to refusals
   * @param later the zone after a reload
   */
  record Nginx(
      String zone, String limit, String status, Optional<Integer> after, Optional<String> later)
      implements LimiterServer {
    static Nginx requests(String rate, String limit) {
      return new Nginx(
          zone(rate),
          "limit_req zone=calls " + limit + ";",
          "limit_req_status 429;",
          Optional.empty(),
          Optional.empty());
    }

    static Nginx connections(int slots) {
      return new Nginx(
          "limit_conn_zone $binary_remote_addr zone=calls:1m;",
          "limit_conn calls " + slots + ";",
          "limit_conn_status 429;",
          Optional.empty(),
          Optional.empty());
    }

    private static String zone(String rate) {
      return "limit_req_zone $binary_remote_addr zone=calls:1m rate=" + rate + ";";
    }

    Nginx by503() {
      return new Nginx(zone, limit, "", after, later);
    }

    Nginx telling(int seconds) {
      return new Nginx(zone, limit, status, Optional.of(seconds), later);
    }

    Nginx becoming(String rate) {
      return new Nginx(zone, limit, status, after, Optional.of(zone(rate)));
    }

    @Override
    public Set<LimiterTool> needs() {
      return EnumSet.of(LimiterTool.NGINX);
    }

    String config(Path folder, int port, int provider, String counted) {
      return ConfigTemplate.named("nginx.conf")
          .fill(
              Map.of(
                  "user",
                  System.getProperty("user.name", "").equals("root") ? "user root root;" : "",
                  "folder",
                  folder.toString(),
                  "port",
                  String.valueOf(port),
                  "provider",
                  String.valueOf(provider),
                  "after",
                  after.map(String::valueOf).orElse(""),
                  "zone",
                  counted,
                  "limit",
                  limit,
                  "status",
                  status));
    }

    @Override
    public RunningLimiter start(Path folder, int provider)
        throws IOException, InterruptedException {
      var config = folder.resolve("nginx.conf");
      int port = ServerProcess.freePort();
      Files.writeString(config, config(folder, port, provider, zone));
      var command =
          List.of(LimiterTool.NGINX.path(), "-p", folder.toString(), "-c", config.toString());
      var server = ServerProcess.start(folder.resolve("nginx.log"), port, command);
      if (later.isEmpty()) {
        return new RunningLimiter(List.of(server));
      }
      var changed = config(folder, port, provider, later.get());
      return new RunningLimiter(
          List.of(server),
          () -> {
            Files.writeString(config, changed);
            // The master process reads its configuration again when it is sent this signal.
            var pid = Files.readString(folder.resolve("nginx.pid")).strip();
            new ProcessBuilder("kill", "-HUP", pid).inheritIO().start().waitFor();
          });
    }
  }

  /** HAProxy with a sliding rate in a stick table, in which refused requests count too. */
  record Haproxy(int limit, Duration window) implements LimiterServer {
    @Override
    public Set<LimiterTool> needs() {
      return EnumSet.of(LimiterTool.HAPROXY);
    }

    String config(int port, int provider) {
      return ConfigTemplate.named("haproxy.cfg")
          .fill(
              Map.of(
                  "port",
                  String.valueOf(port),
                  "provider",
                  String.valueOf(provider),
                  "limit",
                  String.valueOf(limit),
                  "window",
                  window.toSeconds() + "s"));
    }

    @Override
    public RunningLimiter start(Path folder, int provider)
        throws IOException, InterruptedException {
      var config = folder.resolve("haproxy.cfg");
      int port = ServerProcess.freePort();
      Files.writeString(config, config(port, provider));
      var command = List.of(LimiterTool.HAPROXY.path(), "-db", "-f", config.toString());
      return new RunningLimiter(
          List.of(ServerProcess.start(folder.resolve("haproxy.log"), port, command)));
    }
  }

  /**
   * A package of npm.
   *
   * @param script the server that is made of it
   * @param redis whether it counts in Redis
   */
  record Npm(String script, boolean redis, Consumer<ObjectNode> options) implements LimiterServer {
    @Override
    public Set<LimiterTool> needs() {
      var needs = EnumSet.of(LimiterTool.NODE, LimiterTool.NPM);
      if (redis) {
        needs.add(LimiterTool.REDIS);
      }
      return needs;
    }

    @Override
    public RunningLimiter start(Path folder, int provider)
        throws IOException, InterruptedException {
      if (!redis) {
        return new RunningLimiter(List.of(node(folder, provider, 0)));
      }
      int port = ServerProcess.freePort();
      var store =
          ServerProcess.start(
              folder.resolve("redis.log"),
              port,
              List.of(
                  LimiterTool.REDIS.path(),
                  "--bind",
                  "127.0.0.1",
                  "--port",
                  String.valueOf(port),
                  "--save",
                  "",
                  "--appendonly",
                  "no",
                  "--dir",
                  folder.toString()));
      try {
        return new RunningLimiter(List.of(node(folder, provider, port), store));
      } catch (IOException | InterruptedException | RuntimeException failed) {
        store.close();
        throw failed;
      }
    }

    private ServerProcess node(Path folder, int provider, int store)
        throws IOException, InterruptedException {
      int port = ServerProcess.freePort();
      var told = JsonNodeFactory.instance.objectNode();
      options.accept(told);
      told.put("port", port).put("provider", provider).put("redis", store);
      return ServerProcess.start(
          folder.resolve("node.log"),
          port,
          List.of(LimiterTool.NODE.path(), LimiterTools.script(script), told.toString()));
    }
  }
}
