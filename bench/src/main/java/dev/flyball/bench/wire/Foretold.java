package dev.flyball.bench.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Headers;
import dev.flyball.simulator.setting.Latency;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A batch that is forecast by {@code flyball estimate}, and then run.
 *
 * @param account whose limits are forecast with, and kept by the simulator
 * @param manners what else the simulator does
 * @param models which models are asked, one after the other
 * @param words how many words prompts have
 * @param shared how many words all prompts begin with, for the provider to cache
 * @param answer how long answers are, if that is known before; else earlier runs must tell
 * @param concurrency how many at one time, if that is limited
 */
public record Foretold(
    String name,
    String provider,
    String account,
    UnaryOperator<Settings> manners,
    List<String> models,
    int calls,
    Words words,
    int shared,
    long most,
    OptionalLong answer,
    OptionalLong concurrency) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EARLIER_RUNS = 5;
  private static final int EARLIER_CALLS = 40;
  private static final String SONNET = "claude-sonnet-4-5";
  private static final String HAIKU = "claude-haiku-4-5";

  public static final List<Foretold> ALL =
      List.of(
          of("small account, requests", "anthropic", "anthropic-tier1", SONNET)
              .asking(120, 10, 60)
              .answering(100),
          of("answers of all lengths", "anthropic", "anthropic-tier2", SONNET)
              .asking(300, 10, 100)
              .most(300),
          of("two models, prompts of all sizes", "anthropic", "anthropic-tier2", SONNET, HAIKU)
              .asking(400, 20, 1_200)
              .most(300),
          of("retry-after only", "openai", "headerless", "gpt-4o-mini")
              .with(settings -> settings.headers(Headers.parse("retry-after")))
              .asking(700, 10, 60)
              .answering(30),
          of("prompts that share a prefix", "anthropic", "anthropic-tier1", HAIKU)
              .asking(110, 10, 60)
              .sharing(6_000)
              .answering(60),
          of("eight at one time", "anthropic", "anthropic-scale", SONNET)
              .asking(240, 10, 100)
              .most(300)
              .atOneTime(8),
          of("tokens by the longest answer", "openai", "openai-tier1", "gpt-4o")
              .asking(170, 250, 350)
              .most(300),
          of("no header, no hint", "openai", "headerless", "gpt-4o-mini")
              .with(settings -> settings.headers(Headers.parse("none")))
              .asking(700, 10, 30)
              .answering(60),
          of("wrong advertised burst", "openai", "headerless", "gpt-4o-mini")
              .with(settings -> settings.headers(Headers.parse("full,wrong-burst")))
              .asking(700, 10, 30)
              .answering(60),
          of("few requests", "groq", "groq", "llama-3.3-70b-versatile")
              .asking(65, 10, 60)
              .answering(50));

  /** From so many to so many. */
  record Words(int from, int to) {}

  /** What a row came to. */
  public record Outcome(
      double least, double median, double ninth, double wall, double cost, double realCost) {
    public double timeError() {
      return median / wall - 1;
    }

    public double costError() {
      return cost / realCost - 1;
    }
  }

  private static Foretold of(String name, String provider, String account, String... models) {
    return new Foretold(
        name,
        provider,
        account,
        UnaryOperator.identity(),
        List.of(models),
        0,
        new Words(1, 1),
        0,
        400,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  private Foretold with(UnaryOperator<Settings> other) {
    return new Foretold(
        name, provider, account, other, models, calls, words, shared, most, answer, concurrency);
  }

  private Foretold asking(int count, int from, int to) {
    return new Foretold(
        name,
        provider,
        account,
        manners,
        models,
        count,
        new Words(from, to),
        shared,
        most,
        answer,
        concurrency);
  }

  private Foretold sharing(int count) {
    return new Foretold(
        name, provider, account, manners, models, calls, words, count, most, answer, concurrency);
  }

  private Foretold most(long tokens) {
    return new Foretold(
        name,
        provider,
        account,
        manners,
        models,
        calls,
        words,
        shared,
        tokens,
        answer,
        concurrency);
  }

  private Foretold answering(long tokens) {
    return new Foretold(
        name,
        provider,
        account,
        manners,
        models,
        calls,
        words,
        shared,
        most,
        OptionalLong.of(tokens),
        concurrency);
  }

  private Foretold atOneTime(long count) {
    return new Foretold(
        name,
        provider,
        account,
        manners,
        models,
        calls,
        words,
        shared,
        most,
        answer,
        OptionalLong.of(count));
  }

  public boolean known() {
    return answer.isPresent();
  }

  /** Forecasts and runs it in an empty folder. */
  public Outcome run(Path folder, long seed) throws IOException, InterruptedException {
    for (int i = 1; i <= (known() ? 1 : EARLIER_RUNS); i++) {
      earlier(folder, i, seed + i);
    }
    Files.write(folder.resolve("calls.jsonl"), lines(calls, seed));
    var settings = manners.apply(Settings.of(account).answers(Answers.lorem()).seed(seed));
    try (var simulator = Simulator.start(settings, 0)) {
      var forecast = estimate(folder, simulator);
      batch(folder, simulator, "calls.jsonl", "report.json");
      var report = JSON.readTree(folder.resolve("report.json").toFile());
      return new Outcome(
          forecast.at("/time/leastSeconds").asDouble(),
          forecast.at("/time/forecastSeconds/p50").asDouble(),
          forecast.at("/time/forecastSeconds/p90").asDouble(),
          report.path("wallSeconds").asDouble(),
          forecast.path("consumptionUsd").asDouble(),
          report.path("costUsd").asDouble());
    }
  }

  /** A short run of the same kind, at an account without limits. */
  private void earlier(Path folder, int number, long seed)
      throws IOException, InterruptedException {
    var file = "earlier-" + number + ".jsonl";
    Files.write(folder.resolve(file), lines(EARLIER_CALLS, seed));
    var settings =
        Settings.of("unlimited")
            .latency(Latency.parse(provider.equals("anthropic") ? "800ms+12ms" : "500ms+10ms"))
            .answers(Answers.lorem())
            .seed(seed);
    try (var simulator = Simulator.start(settings, 0)) {
      batch(folder, simulator, file, "earlier-" + number + ".json");
    }
  }

  private JsonNode estimate(Path folder, Simulator simulator)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("estimate", "calls.jsonl", "--json"));
    arguments.addAll(List.of("--limits", account));
    arguments.addAll(whom(simulator));
    answer.ifPresent(tokens -> arguments.addAll(List.of("--output-tokens", "" + tokens)));
    var command = new Command(folder);
    int exit = command.start(Map.of(), arguments.toArray(String[]::new)).waitFor();
    if (exit != 0) {
      throw new IOException("estimate ended with " + exit + ": " + command.said());
    }
    return JSON.readTree(command.said());
  }

  private void batch(Path folder, Simulator simulator, String input, String report)
      throws IOException, InterruptedException {
    var arguments = new ArrayList<>(List.of("batch", input, "--progress", "none"));
    arguments.addAll(List.of("--report", folder.resolve(report).toString()));
    arguments.addAll(whom(simulator));
    answer.ifPresent(
        tokens -> arguments.addAll(List.of("--header", BenchRequest.LENGTH + "=" + tokens)));
    var command = new Command(folder);
    int exit = command.start(Map.of(), arguments.toArray(String[]::new)).waitFor();
    if (exit != 0) {
      throw new IOException("batch ended with " + exit + ": " + command.said());
    }
  }

  private List<String> whom(Simulator simulator) {
    var arguments = new ArrayList<>(List.of("--provider", provider, "--base-url"));
    arguments.add(simulator.uri().toString());
    concurrency.ifPresent(count -> arguments.addAll(List.of("--concurrency", "" + count)));
    return arguments;
  }

  private List<String> lines(int count, long seed) {
    var random = new SplittableRandom(seed);
    return IntStream.range(0, count).mapToObj(i -> line(i, random)).toList();
  }

  private String line(int number, SplittableRandom random) {
    var model = models.get(number % models.size());
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("custom_id", "call-" + number);
    ObjectNode body;
    if (provider.equals("anthropic")) {
      body = line.putObject("params").put("max_tokens", most);
      if (shared > 0) {
        var block = body.putArray("system").addObject().put("type", "text");
        block.put("text", text(shared, new SplittableRandom(7)));
        block.putObject("cache_control").put("type", "ephemeral");
      }
    } else {
      body = line.put("method", "POST").put("url", "/v1/chat/completions").putObject("body");
      body.put("max_completion_tokens", most);
    }
    body.put("model", model)
        .putArray("messages")
        .addObject()
        .put("role", "user")
        .put("content", text(random.nextInt(words.from(), words.to() + 1), random));
    return line.toString();
  }

  private static String text(int count, SplittableRandom random) {
    var known =
        "the engine turns and its governor holds the speed while pressure rises under load"
            .split(" ", -1);
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(known[random.nextInt(known.length)]).append(' ');
    }
    return text.toString();
  }
}
