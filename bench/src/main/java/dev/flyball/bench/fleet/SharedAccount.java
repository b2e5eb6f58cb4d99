package dev.flyball.bench.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A simulated account with one key, and its ledger as the judge. */
final class SharedAccount implements AutoCloseable {
  static final double PER_SECOND = 10;
  static final double BURST = 10;
  static final double LATENCY = 0.2;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What the ledger says.
   *
   * @param seconds from the first request to the last answer
   * @param refused 429s
   * @param answered how often each call was
   * @param longestGap the longest time without a call, in seconds
   */
  record Verdict(double seconds, long refused, Map<String, Integer> answered, double longestGap) {
    /** How many times as long it took as so many calls need at least. */
    double timesLeast(int calls) {
      return seconds / ((calls - BURST) / PER_SECOND + LATENCY);
    }

    long twice() {
      return answered.values().stream().mapToInt(times -> times - 1).sum();
    }
  }

  private final Simulator simulator;

  SharedAccount(String headers) throws IOException {
    simulator =
        Simulator.start(
            Settings.of("unlimited")
                .latency(Latency.parse("200ms"))
                .answers(Answers.echo())
                .limit("requests=600/min")
                .burst("requests=10")
                .headers(Headers.parse(headers)),
            0);
  }

  URI uri() {
    return simulator.uri();
  }

  Verdict verdict() throws IOException, InterruptedException {
    List<JsonNode> ledger;
    try (var http = HttpClient.newHttpClient()) {
      var lines =
          http.send(
              HttpRequest.newBuilder(simulator.uri().resolve("/__sim/ledger")).build(),
              HttpResponse.BodyHandlers.ofLines());
      ledger = lines.body().map(SharedAccount::line).toList();
    }
    double first = Double.MAX_VALUE;
    double last = 0;
    double before = 0;
    double gap = 0;
    long refused = 0;
    var answered = new HashMap<String, Integer>();
    for (var entry : ledger) {
      double at = entry.path("atMicros").asDouble();
      switch (entry.path("what").asText()) {
        case "admitted" -> {
          first = Math.min(first, at);
          gap = Math.max(gap, before == 0 ? 0 : at - before);
          before = at;
        }
        case "rejected" -> {
          first = Math.min(first, at);
          refused++;
        }
        case "finished" -> {
          last = Math.max(last, at);
          answered.merge(entry.path("id").asText(), 1, Integer::sum);
        }
        default -> {}
      }
    }
    return new Verdict((last - first) / 1e6, refused, answered, gap / 1e6);
  }

  private static JsonNode line(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException garbled) {
      throw new java.io.UncheckedIOException(garbled);
    }
  }

  @Override
  public void close() {
    simulator.close();
  }
}
