package dev.flyball.simulator;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.provider.AttemptHistory;
import dev.flyball.simulator.provider.LimitScope;
import dev.flyball.simulator.provider.Provider;
import dev.flyball.simulator.provider.Serving;
import dev.flyball.simulator.provider.Verdict;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Fault;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.setting.Settings;
import dev.flyball.simulator.value.JsonText;
import dev.flyball.simulator.value.RandomDraw;
import dev.flyball.simulator.value.SimulatedClock;
import dev.flyball.simulator.value.TokenCounter;
import dev.flyball.simulator.wire.Complaint;
import dev.flyball.simulator.wire.Endpoint;
import dev.flyball.simulator.wire.ModelAnswer;
import dev.flyball.simulator.wire.ModelReply;
import dev.flyball.simulator.wire.RequestBody;
import dev.flyball.simulator.wire.RequestReader;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The provider's side of HTTP: one event loop, on which everything happens. */
final class Server {
  /** For somebody who opens the address in a browser. */
  private static final String FRONT =
      "This is a simulated model provider, made by `flyball simulate`. It answers POST /v1/messages"
          + " and POST /v1/chat/completions with any key.\n"
          + "What it saw: /__sim/stats, /__sim/state, /__sim/ledger\n";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern DEPLOYMENT = Pattern.compile("/deployments/([^/]+)/");
  private static final int LARGEST = 32 * 1024 * 1024;
  private static final int LARGEST_ORDER = 1024 * 1024;

  private final Vertx vertx;
  private final Control control = new Control(this);
  private SimulatedClock clock;
  private Provider provider;

  Server(Vertx vertx, Settings settings) {
    this.vertx = vertx;
    this.clock = new SimulatedClock(settings.speed());
    this.provider = new Provider(settings);
    // So that nobody who asks after a long rest waits until all of it is counted.
    vertx.setPeriodic(1_000, timer -> provider.catchUp(clock.micros()));
  }

  Provider provider() {
    return provider;
  }

  SimulatedClock clock() {
    return clock;
  }

  /** Forgets everything that happened, the time too; what is under way is not counted. */
  void reset(Settings settings) {
    clock = new SimulatedClock(settings.speed());
    provider = new Provider(settings);
  }

  void handle(HttpServerRequest request) {
    Optional<String> foreign = LocalCallers.refused(request);
    if (foreign.isPresent()) {
      send(
          request.response(),
          403,
          JsonNodeFactory.instance.objectNode().put("error", foreign.get()));
      return;
    }
    String path = path(request);
    if (path.startsWith("/__sim/")) {
      receive(request, LARGEST_ORDER, body -> control.handle(request, body), Control::tooLarge);
      return;
    }
    if (path.equals("/")) {
      request.response().putHeader("content-type", "text/plain; charset=utf-8").end(FRONT);
      return;
    }
    Endpoint endpoint = Endpoint.of(request.method().name(), path);
    boolean anthropic = endpoint.anthropic() || request.getHeader("anthropic-version") != null;
    Settings settings = provider.settings();
    Caller caller = new Caller(request);
    Organization organization = Organization.of(CallAttempt.fingerprint(caller.key()), settings);
    ProviderStyle style = settings.profile().style().on(anthropic);
    ReplyWriter writer = new ReplyWriter(style, organization, settings, clock);
    Optional<RequestBody.Invalid> refused = caller.refused(endpoint, style);
    if (refused.isPresent()) {
      complain(request, writer, refused.get());
    } else if (endpoint == Endpoint.MODELS) {
      list(request, writer, ModelCatalog.models(style, settings.profile()));
    } else if (endpoint == Endpoint.RATE_LIMITS) {
      rateLimits(request, writer);
    } else {
      receive(
          request,
          LARGEST,
          body -> answer(request, endpoint, writer, body),
          large ->
              complain(
                  large,
                  writer,
                  new RequestBody.Invalid(
                      413, "request_too_large", "", "", "Request exceeds the maximum size")));
    }
  }

  private void list(HttpServerRequest request, ReplyWriter writer, JsonNode list) {
    writer.sign(request.response(), "req_sim_list");
    send(request.response(), 200, list);
  }

  /** Only to administrators, whose keys are of another kind. */
  private void rateLimits(HttpServerRequest request, ReplyWriter writer) {
    String model = requireNonNullElse(request.getParam("model"), "");
    if (!new Caller(request).key().startsWith("sk-ant-admin")) {
      complain(
          request,
          writer,
          new RequestBody.Invalid(
              403,
              "permission_error",
              "",
              "",
              "An Admin API key is required here; one begins with sk-ant-admin."));
    } else if (!model.isEmpty() && !provider.settings().profile().knows(model)) {
      complain(request, writer, unknown(writer.style(), model));
    } else {
      list(request, writer, ModelCatalog.rateLimits(provider.settings(), model, clock.micros()));
    }
  }

  /** Empty if the request names none. */
  static String path(HttpServerRequest request) {
    return requireNonNullElse(request.path(), "");
  }

  /** Without the framework's limit, so that the refusal is in the right words. */
  private static void receive(
      HttpServerRequest request,
      int largest,
      Consumer<byte[]> whole,
      Consumer<HttpServerRequest> tooLarge) {
    Buffer body = Buffer.buffer();
    boolean[] large = {false};
    request.handler(
        part -> {
          if (body.length() + part.length() > largest) {
            large[0] = true;
          } else if (!large[0]) {
            body.appendBuffer(part);
          }
        });
    request.endHandler(
        end -> {
          if (large[0]) {
            tooLarge.accept(request);
          } else {
            whole.accept(body.getBytes());
          }
        });
  }

  private void complain(HttpServerRequest request, ReplyWriter writer, RequestBody.Invalid why) {
    provider.countInvalid();
    Complaint complaint = Complaint.invalid(writer.style(), "req_sim_invalid", why);
    writer.sign(request.response(), "req_sim_invalid");
    send(request.response(), complaint.status(), complaint.body());
  }

  static void send(HttpServerResponse response, int status, JsonNode body) {
    if (!response.closed()) {
      response.setStatusCode(status).putHeader("content-type", "application/json");
      response.end(JsonText.of(body));
    }
  }

  private static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot fail to be read", e);
    }
  }

  private void answer(
      HttpServerRequest request, Endpoint endpoint, ReplyWriter writer, byte[] bytes) {
    Matcher deployment = DEPLOYMENT.matcher(path(request));
    JsonNode body = parse(bytes);
    switch (RequestReader.read(endpoint, body, deployment.find() ? deployment.group(1) : "")) {
      case RequestBody.Invalid invalid -> complain(request, writer, invalid);
      case RequestBody.Prompt prompt when !provider.settings().profile().knows(prompt.model()) ->
          complain(request, writer, unknown(writer.style(), prompt.model()));
      case RequestBody.Prompt prompt -> admit(request, endpoint, writer, prompt, body, bytes);
    }
  }

  private static RequestBody.Invalid unknown(ProviderStyle style, String model) {
    return style == ProviderStyle.ANTHROPIC
        ? new RequestBody.Invalid(404, "not_found_error", "", "model", "model: " + model)
        : new RequestBody.Invalid(
            404,
            "invalid_request_error",
            "model_not_found",
            "model",
            "The model `" + model + "` does not exist or you do not have access to it.");
  }

  private void admit(
      HttpServerRequest request,
      Endpoint endpoint,
      ReplyWriter writer,
      RequestBody.Prompt prompt,
      JsonNode body,
      byte[] bytes) {
    Caller caller = new Caller(request);
    String key = CallAttempt.fingerprint(caller.key());
    String id = caller.id(prompt);
    long identity = id.isEmpty() ? RandomDraw.hash(bytes) : RandomDraw.hash(id);
    AttemptHistory.Count before =
        caller
            .number("x-stainless-retry-count")
            .map(retries -> new AttemptHistory.Count(retries.intValue(), retries.intValue()))
            .orElseGet(() -> provider.attempts().sent(key, prompt.model(), identity));
    ModelAnswer answer =
        answer(
            caller,
            endpoint,
            body,
            prompt,
            id,
            draw(RandomDraw.Purpose.ANSWER, key, prompt, identity, 0));
    ModelRequest ask =
        new ModelRequest(
            new CallAttempt(
                writer.organization().fingerprint(),
                key,
                prompt.model(),
                id,
                identity,
                before.sent(),
                before.met()),
            caller.number("x-sim-input-tokens").orElse(prompt.input()),
            prompt.breakpoints(),
            prompt.asked(),
            answer.tokens(),
            prompt.stream(),
            endpoint != Endpoint.COUNT_TOKENS);
    HttpServerResponse response = request.response();
    long now = clock.micros();
    switch (provider.admit(ask, now)) {
      case Verdict.Dropped dropped -> request.connection().close();
      case Verdict.Rejected(
              String number,
              Rejection why,
              LimitScope scope,
              LimitSnapshot snapshot) -> {
        Complaint complaint = Complaint.of(writer.about(number, prompt.model()), why);
        writer.describe(response, number, scope, snapshot, snapshot, complaint.after());
        send(response, complaint.status(), complaint.body());
      }
      case Verdict.Admitted(Serving serving) -> {
        RandomDraw name = draw(RandomDraw.Purpose.NAME, key, prompt, identity, before.sent());
        ModelReply reply =
            new ModelReply(
                endpoint,
                prompt,
                answer,
                serving.split(),
                HexFormat.of().toHexDigits(name.bits())
                    + HexFormat.of().toHexDigits((int) name.bits()),
                clock.at(now).getEpochSecond(),
                serving.struckBy(Fault.Kind.NO_USAGE)
                    ? 0
                    : serving.struckBy(Fault.Kind.HUGE_USAGE) ? 1_000 : 1);
        new Exchange(vertx, provider, request, writer, serving, reply, body).start();
      }
    }
  }

  private RandomDraw draw(
      RandomDraw.Purpose purpose,
      String key,
      RequestBody.Prompt prompt,
      long identity,
      int attempt) {
    return RandomDraw.of(
        provider.settings().seed(), purpose, key, prompt.model(), identity, attempt);
  }

  private ModelAnswer answer(
      Caller caller,
      Endpoint endpoint,
      JsonNode body,
      RequestBody.Prompt prompt,
      String id,
      RandomDraw draw) {
    if (!endpoint.streams()) {
      return ModelAnswer.NOTHING;
    }
    String model = prompt.model();
    String whole =
        caller
            .number("x-sim-output-tokens")
            .map(tokens -> TokenCounter.lorem(tokens, model, draw))
            .orElseGet(
                () -> {
                  Answers answers = provider.settings().answers();
                  return answers.to(id, RequestReader.system(body), prompt.said(), model, draw);
                });
    boolean calls = !prompt.tool().isEmpty() && JsonText.parse(whole).isObject();
    return ModelAnswer.of(whole, prompt.longest(), model, calls ? prompt.tool() : "");
  }
}
