package dev.flyball.bench.wire;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.errors.AnthropicException;
import com.anthropic.models.messages.MessageCreateParams;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.errors.OpenAIException;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The official SDK as it comes, on a fixed pool of threads, over the calls of a row. */
public final class SdkRun {
  private static final int THREADS = 20;
  private static final String ID = "x-sim-id";

  /** An SDK's client; a call that it gives up ends in its exception. */
  private interface Client extends AutoCloseable {
    void call(int number);

    @Override
    void close();
  }

  private final WireRow row;

  public SdkRun(WireRow row) {
    this.row = row;
  }

  /** Loads the SDK's classes, so that no run is charged for it. */
  public void warmUp() throws IOException {
    try (var simulator = Simulator.start(Settings.of("unlimited"), 0);
        var client = client(simulator)) {
      for (int i = 0; i < THREADS; i++) {
        client.call(i);
      }
    }
  }

  /** One call. */
  void ask(Simulator simulator, int call) {
    try (var client = client(simulator)) {
      client.call(call);
    }
  }

  public WireTrial run() throws IOException, InterruptedException {
    try (var simulator = Simulator.start(row.account().get(), 0);
        var client = client(simulator)) {
      var answers = new AtomicInteger();
      long started = System.nanoTime();
      try (var pool = Executors.newFixedThreadPool(THREADS)) {
        for (int i = 0; i < row.calls(); i++) {
          int call = i;
          pool.execute(
              () -> {
                try {
                  client.call(call);
                  answers.incrementAndGet();
                } catch (OpenAIException | AnthropicException lost) {
                  // Counted by being absent.
                  return;
                }
              });
        }
      }
      double seconds = (System.nanoTime() - started) / 1e9;
      return new WireTrial(seconds, 0, answers.get(), Judgement.of(simulator));
    }
  }

  private Client client(Simulator simulator) {
    return switch (row.ask().dialect()) {
      case OPENAI ->
          new OpenAi(
              row.ask(),
              OpenAIOkHttpClient.builder()
                  .apiKey("sk-wire")
                  .baseUrl(simulator.uri() + "/v1")
                  .build());
      case ANTHROPIC ->
          new Anthropic(
              row.ask(),
              AnthropicOkHttpClient.builder()
                  .apiKey("sk-wire")
                  .baseUrl(simulator.uri().toString())
                  .build());
    };
  }

  private record OpenAi(BenchRequest ask, OpenAIClient client) implements Client {
    @Override
    public void call(int number) {
      var params =
          ChatCompletionCreateParams.builder()
              .model(ask.dialect().model)
              .maxCompletionTokens(ask.most())
              .addUserMessage(ask.text(number))
              .putAdditionalHeader(ID, BenchRequest.id(number));
      ask.answer()
          .ifPresent(
              tokens -> params.putAdditionalHeader(BenchRequest.LENGTH, String.valueOf(tokens)));
      client.chat().completions().create(params.build());
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private record Anthropic(BenchRequest ask, AnthropicClient client) implements Client {
    @Override
    public void call(int number) {
      var params =
          MessageCreateParams.builder()
              .model(ask.dialect().model)
              .maxTokens(ask.most())
              .addUserMessage(ask.text(number))
              .putAdditionalHeader(ID, BenchRequest.id(number));
      ask.answer()
          .ifPresent(
              tokens -> params.putAdditionalHeader(BenchRequest.LENGTH, String.valueOf(tokens)));
      client.messages().create(params.build());
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
