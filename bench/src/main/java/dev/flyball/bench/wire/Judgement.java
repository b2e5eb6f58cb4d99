package dev.flyball.bench.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.provider.Stats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The word of a simulator on a run.
 *
 * @param ledger everything that happened, oldest first
 */
public record Judgement(Stats stats, List<JsonNode> ledger) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public long requests() {
    return stats.requests();
  }

  public long throttles() {
    return stats.throttled();
  }

  static Judgement of(Simulator simulator) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var ledger =
          http.send(
              HttpRequest.newBuilder(simulator.uri().resolve("/__sim/ledger")).build(),
              HttpResponse.BodyHandlers.ofLines());
      return new Judgement(simulator.stats(), ledger.body().map(Judgement::line).toList());
    }
  }

  static JsonNode line(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException garbled) {
      throw new UncheckedIOException(garbled);
    }
  }

  /** How many answers went to a call that had one already. */
  public long askedAgain() {
    Set<String> answered = new HashSet<>();
    return ledger.stream()
        .filter(line -> line.path("what").asText().equals("finished"))
        .filter(line -> !answered.add(line.path("id").asText()))
        .count();
  }
}
