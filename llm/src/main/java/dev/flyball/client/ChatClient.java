package dev.flyball.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Estimate;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.Usage;
import dev.flyball.call.Work;
import dev.flyball.llm.ApiKey;
import dev.flyball.llm.Dialect;
import dev.flyball.llm.Endpoint;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Provider;
import dev.flyball.llm.ProviderAnswer;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.ProviderRequest;
import dev.flyball.llm.Timeouts;
import dev.flyball.llm.token.PromptSize;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.FlyballException;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A chat with a provider, paced by its limits: any number of threads may ask at the same time, and
 * each question goes as soon as every limit has room for it. Limits are read from the replies;
 * retries, waits and prompts' sizes are taken care of.
 *
 * <p>It blocks, so give each question a virtual thread of its own, or use {@link #askLater}.
 */
public final class ChatClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Flyball flyball;
  private final boolean ownsFlyball;
  private final HttpConnections http;
  private final Provider provider;
  private final ProviderCatalogue catalogue;
  private final ProviderCatalogue.Listing listing;
  private final TokenCounter tokens = new TokenCounter(Map.of());

  private ChatClient(Builder builder) {
    var time = Time.system();
    catalogue = ProviderCatalogue.read();
    listing =
        catalogue
            .provider(builder.provider)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no provider %s; there are %s"
                            .formatted(
                                builder.provider, String.join(", ", catalogue.providers()))));
    var root =
        builder
            .address
            .or(
                () ->
                    Optional.ofNullable(System.getenv(listing.baseUrlVariable())).map(URI::create))
            .or(listing::url)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        listing.name() + " needs an address: call at(...)"));
    var key =
        builder
            .key
            .or(() -> Optional.ofNullable(System.getenv(listing.keyVariable())))
            .map(ApiKey::of)
            .or(() -> builder.address.map(own -> ApiKey.NONE))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "no key: set " + listing.keyVariable() + " or call key(...)"));
    http = HttpConnections.of(Timeouts.USUAL, time::wall, System.getenv());
    provider = http.provider(Endpoint.at(listing.name(), root).auth(listing.auth()).key(key));
    ownsFlyball = builder.flyball == null;
    flyball =
        builder.flyball == null
            ? Flyball.builder().profiles(lane -> catalogue.style(listing.style())).build()
            : builder.flyball;
  }

  /** A provider by its name, with the key in its usual environment variable. */
  public static ChatClient of(String provider) {
    return builder(provider).build();
  }

  /** The same with more to say. */
  public static Builder builder(String provider) {
    return new Builder(provider);
  }

  /**
   * One prompt, and its answer.
   *
   * @throws FlyballException if there was none; its message says what to do
   */
  public ChatAnswer ask(String model, String prompt) throws InterruptedException {
    return ask(ChatRequest.of(model, prompt));
  }

  /** A question, and its answer. */
  public ChatAnswer ask(ChatRequest request) throws InterruptedException {
    var asked = new Asked(request, false);
    return flyball.answer(asked.call(), asked::attempt);
  }

  /**
   * The same, whose text is passed on while it comes. An attempt that breaks after that is tried
   * again from the beginning, so a listener may hear a beginning twice.
   */
  public ChatAnswer stream(ChatRequest request, Consumer<String> listener)
      throws InterruptedException {
    var asked = new Asked(request, true);
    Work<ChatAnswer> work = attempt -> asked.attempt(attempt, listener);
    return flyball.answer(asked.call(), work);
  }

  /** The same for those who must not block: no thread waits for a limit. */
  public CompletableFuture<Outcome<ChatAnswer>> askLater(ChatRequest request) {
    var asked = new Asked(request, false);
    Executor threads = task -> Thread.ofVirtual().start(task);
    return new AsyncCalls(flyball, threads)
        .run(
            asked.call(),
            attempt -> {
              try {
                return CompletableFuture.completedFuture(asked.attempt(attempt));
              } catch (InterruptedException interrupted) {
                return CompletableFuture.failedFuture(interrupted);
              }
            });
  }

  /** The scheduler, for its numbers, its budgets and its memory. */
  public Flyball flyball() {
    return flyball;
  }

  @Override
  public void close() {
    if (ownsFlyball) {
      flyball.close();
    }
    http.close();
  }

  /** One question, measured and ready to be sent as often as it takes. */
  private final class Asked {
    private final ProviderRequest request;
    private final TokenCounter.Count count;
    private final Call call;

    Asked(ChatRequest chat, boolean stream) {
      try {
        var body = JSON.writeValueAsBytes(chat.body(listing.dialect(), stream));
        count = tokens.estimate(PromptSize.read(body, 0, body.length));
        var path = listing.dialect() == Dialect.ANTHROPIC ? "/v1/messages" : "/v1/chat/completions";
        request =
            new ProviderRequest(listing.dialect(), path, body, Map.of(), count.tokens())
                .atMost(OptionalLong.of(chat.maxTokens()));
      } catch (IOException impossible) {
        throw new IllegalArgumentException("the request cannot be written as JSON", impossible);
      }
      var lane =
          new LaneId(
              listing.name(),
              catalogue.modelClass(listing.style(), chat.model()),
              provider.endpoint().fingerprint(),
              "");
      call = Call.to(lane).estimated(Estimate.of(count.tokens(), chat.maxTokens()));
    }

    Call call() {
      return call;
    }

    Reply<ChatAnswer> attempt(Attempt attempt) throws InterruptedException {
      try (var exchange = provider.exchange(request, attempt)) {
        var usage = used(exchange.reply());
        return exchange.reply().map(answer -> read(answer, usage));
      }
    }

    Reply<ChatAnswer> attempt(Attempt attempt, Consumer<String> listener)
        throws InterruptedException {
      var stream = new ChatStream(listing.dialect(), listener);
      try (var exchange = provider.exchange(request, attempt, stream)) {
        var usage = used(exchange.reply());
        return exchange.reply().map(answer -> stream.answer(usage));
      }
    }

    /** What an answer has used, which also teaches how long prompts really are. */
    private Usage used(Reply<ProviderAnswer> reply) {
      if (reply instanceof Reply.Answered<ProviderAnswer> answered) {
        tokens.learn(count, answered.usage());
        return answered.usage();
      }
      return Usage.NONE;
    }

    private ChatAnswer read(ProviderAnswer answer, Usage usage) {
      try {
        return ChatAnswer.of(listing.dialect(), JSON.readTree(answer.body()), usage);
      } catch (IOException impossible) {
        throw new IllegalStateException("it was read as JSON before", impossible);
      }
    }
  }

  /** What may be said about a client before it is there. */
  public static final class Builder {
    private final String provider;
    private Optional<URI> address = Optional.empty();
    private Optional<String> key = Optional.empty();
    private @Nullable Flyball flyball;

    private Builder(String provider) {
      this.provider = provider;
    }

    /** Another server that speaks the provider's API; it needs no key. */
    public Builder at(URI server) {
      address = Optional.of(server);
      return this;
    }

    /** The key, where it is not in the environment. */
    public Builder key(String secret) {
      key = Optional.of(secret);
      return this;
    }

    /** A scheduler that others share; it is not closed with the client. */
    public Builder scheduler(Flyball shared) {
      flyball = shared;
      return this;
    }

    /**
     * Opens nothing yet.
     *
     * @throws IllegalArgumentException if the provider, its address or its key is not known
     */
    public ChatClient build() {
      return new ChatClient(this);
    }
  }
}
