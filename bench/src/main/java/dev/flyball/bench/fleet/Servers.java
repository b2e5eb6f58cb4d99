package dev.flyball.bench.fleet;

import dev.flyball.bench.wire.Command;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** Some real processes of {@code flyball serve} in front of one account, and their clients. */
final class Servers implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");
  private final List<Process> processes = new ArrayList<>();
  private final List<URI> doors = new ArrayList<>();

  Servers(Path folder, URI account, String fleet, int servers)
      throws IOException, InterruptedException {
    for (int i = 0; i < servers; i++) {
      var place = Files.createDirectories(folder.resolve("s" + i));
      var command = new Command(place);
      processes.add(
          command.start(
              Map.of(),
              "serve",
              "--port",
              "0",
              "--base-url",
              account.toString(),
              "--no-history",
              "--fleet",
              fleet));
      doors.add(door(command, processes.get(i)));
    }
  }

  private static URI door(Command command, Process process)
      throws IOException, InterruptedException {
    while (process.isAlive()) {
      var said = LISTENING.matcher(command.said());
      if (said.find()) {
        return URI.create(said.group(1));
      }
      Thread.sleep(50);
    }
    throw new IOException("a server did not start: " + command.said());
  }

  /** So many clients ask, each the next call when it has its answer; how often each status came. */
  Map<Integer, Integer> ask(int clients, int calls) {
    var statuses = new ConcurrentHashMap<Integer, Integer>();
    var next = new AtomicInteger();
    try (var http = HttpClient.newHttpClient();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < clients; client++) {
        var door = doors.get(client % doors.size());
        threads.execute(
            () -> {
              for (int call = next.getAndIncrement(); call < calls; call = next.getAndIncrement()) {
                statuses.merge(ask(http, door, call), 1, Integer::sum);
              }
            });
      }
    }
    return statuses;
  }

  private static int ask(HttpClient http, URI door, int call) {
    var body =
        "{\"model\":\"gpt-5.4\",\"max_tokens\":50,\"messages\":[{\"role\":\"user\",\"content\":\"Q %d\"}]}"
            .formatted(call);
    try {
      return http.send(
              HttpRequest.newBuilder(door.resolve("/v1/chat/completions"))
                  .header("content-type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException broken) {
      return 0;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  @Override
  public void close() {
    processes.forEach(
        process -> {
          process.descendants().forEach(ProcessHandle::destroy);
          process.destroy();
        });
  }
}
