package dev.flyball.bench.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.Stats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a simulator says of a run.
 *
 * @param askedAgain answers to a call that had been answered before
 */
public record Judgement(Stats stats, long askedAgain) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public long requests() {
    return stats.requests();
  }

  public long throttles() {
    return stats.throttled();
  }

  static Judgement of(Simulator simulator) throws IOException, InterruptedException {
    return new Judgement(simulator.stats(), askedAgain(ledger(simulator)));
  }

  /** Everything that happened, oldest first. */
  static List<JsonNode> ledger(Simulator simulator) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(simulator.uri().resolve("/__sim/ledger")).build(),
              HttpResponse.BodyHandlers.ofLines())
          .body()
          .map(Judgement::line)
          .toList();
    }
  }

  static JsonNode line(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException garbled) {
      throw new UncheckedIOException(garbled);
    }
  }

  static long askedAgain(List<JsonNode> ledger) {
    Set<String> answered = new HashSet<>();
    return ledger.stream()
        .filter(line -> line.path("what").asText().equals("finished"))
        .filter(line -> !answered.add(line.path("id").asText()))
        .count();
  }
}
