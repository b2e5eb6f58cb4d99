package dev.flyball.simulator;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The provider's side of HTTP: one event loop, on which everything happens. */
final class Server {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern DEPLOYMENT = Pattern.compile("/deployments/([^/]+)/");
  private static final int LARGEST = 32 * 1024 * 1024;

  private final Vertx vertx;
  private final Control control = new Control(this);
  private Clock clock;
  private Provider provider;

  Server(Vertx vertx, Settings settings) {
    this.vertx = vertx;
    this.clock = new Clock(settings.speed());
    this.provider = new Provider(settings);
    // So that nobody who asks after a long rest waits until all of it is counted.
    vertx.setPeriodic(1_000, timer -> provider.catchUp(clock.micros()));
  }

  Provider provider() {
    return provider;
  }

  Clock clock() {
    return clock;
  }

  /** Forgets everything that happened, the time too; what is under way is not counted. */
  void reset(Settings settings) {
    clock = new Clock(settings.speed());
    provider = new Provider(settings);
  }

  void handle(HttpServerRequest request) {
    String path = path(request);
    if (path.startsWith("/__sim/")) {
      request.body().onSuccess(body -> control.handle(request, body));
      return;
    }
    Api api = Api.of(request.method().name(), path);
    boolean anthropic = api.anthropic() || request.getHeader("anthropic-version") != null;
    Settings settings = provider.settings();
    Caller caller = new Caller(request);
    Organization organization = Organization.of(Ask.fingerprint(caller.key()), settings);
    Style style = settings.profile().style().on(anthropic);
    Manners manners = new Manners(style, organization, settings, clock);
    Optional<Reading.Invalid> refused = caller.refused(api, style);
    if (refused.isPresent()) {
      complain(request, manners, refused.get());
    } else if (api == Api.MODELS) {
      list(request, manners, Catalog.models(style, settings.profile()));
    } else if (api == Api.RATE_LIMITS) {
      rateLimits(request, manners);
    } else {
      receive(request, api, manners);
    }
  }

  private void list(HttpServerRequest request, Manners manners, JsonNode list) {
    manners.sign(request.response(), "req_sim_list");
    send(request.response(), 200, list);
  }

  /** Only to administrators, whose keys are of another kind. */
  private void rateLimits(HttpServerRequest request, Manners manners) {
    String model = requireNonNullElse(request.getParam("model"), "");
    if (!new Caller(request).key().startsWith("sk-ant-admin")) {
      complain(
          request,
          manners,
          new Reading.Invalid(
              403,
              "permission_error",
              "",
              "",
              "An Admin API key is required here; one begins with sk-ant-admin."));
    } else if (!model.isEmpty() && !provider.settings().profile().knows(model)) {
      complain(request, manners, unknown(manners.style(), model));
    } else {
      list(request, manners, Catalog.rateLimits(provider.settings(), model, clock.micros()));
    }
  }

  /** Empty if the request names none. */
  static String path(HttpServerRequest request) {
    return requireNonNullElse(request.path(), "");
  }

  /** Without the framework's limit, so that the refusal is in the provider's words. */
  private void receive(HttpServerRequest request, Api api, Manners manners) {
    Buffer whole = Buffer.buffer();
    boolean[] tooLarge = {false};
    request.handler(
        part -> {
          if (whole.length() + part.length() > LARGEST) {
            tooLarge[0] = true;
          } else if (!tooLarge[0]) {
            whole.appendBuffer(part);
          }
        });
    request.endHandler(
        end -> {
          if (tooLarge[0]) {
            complain(
                request,
                manners,
                new Reading.Invalid(
                    413, "request_too_large", "", "", "Request exceeds the maximum size"));
          } else {
            answer(request, api, manners, whole.getBytes());
          }
        });
  }

  private void complain(HttpServerRequest request, Manners manners, Reading.Invalid why) {
    provider.counts().invalid();
    Complaint complaint = Complaint.invalid(manners.style(), "req_sim_invalid", why);
    manners.sign(request.response(), "req_sim_invalid");
    send(request.response(), complaint.status(), complaint.body());
  }

  static void send(HttpServerResponse response, int status, JsonNode body) {
    if (!response.closed()) {
      response.setStatusCode(status).putHeader("content-type", "application/json");
      response.end(Wire.text(body));
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

  private void answer(HttpServerRequest request, Api api, Manners manners, byte[] bytes) {
    Matcher deployment = DEPLOYMENT.matcher(path(request));
    JsonNode body = parse(bytes);
    switch (Reader.read(api, body, deployment.find() ? deployment.group(1) : "")) {
      case Reading.Invalid invalid -> complain(request, manners, invalid);
      case Reading.Prompt prompt when !provider.settings().profile().knows(prompt.model()) ->
          complain(request, manners, unknown(manners.style(), prompt.model()));
      case Reading.Prompt prompt -> admit(request, api, manners, prompt, body, bytes);
    }
  }

  private static Reading.Invalid unknown(Style style, String model) {
    return style == Style.ANTHROPIC
        ? new Reading.Invalid(404, "not_found_error", "", "model", "model: " + model)
        : new Reading.Invalid(
            404,
            "invalid_request_error",
            "model_not_found",
            "model",
            "The model `" + model + "` does not exist or you do not have access to it.");
  }

  private void admit(
      HttpServerRequest request,
      Api api,
      Manners manners,
      Reading.Prompt prompt,
      JsonNode body,
      byte[] bytes) {
    Caller caller = new Caller(request);
    String key = Ask.fingerprint(caller.key());
    String id = caller.id(prompt);
    long identity = id.isEmpty() ? Draw.hash(bytes) : Draw.hash(id);
    Attempts.Count before =
        caller
            .number("x-stainless-retry-count")
            .map(retries -> new Attempts.Count(retries.intValue(), retries.intValue()))
            .orElseGet(() -> provider.attempts().sent(key, prompt.model(), identity));
    Answer answer =
        answer(caller, api, body, prompt, id, draw(Draw.Purpose.ANSWER, key, prompt, identity, 0));
    Ask ask =
        new Ask(
            manners.organization().fingerprint(),
            key,
            prompt.model(),
            id,
            identity,
            before.sent(),
            before.met(),
            caller.number("x-sim-input-tokens").orElse(prompt.input()),
            prompt.breakpoints(),
            prompt.asked(),
            answer.tokens(),
            prompt.stream(),
            api != Api.COUNT_TOKENS);
    HttpServerResponse response = request.response();
    long now = clock.micros();
    switch (provider.admit(ask, now)) {
      case Verdict.Dropped dropped -> request.connection().close();
      case Verdict.Rejected(String number, Rejection why, Scope scope, Scope.Sight sight) -> {
        Complaint complaint = Complaint.of(manners.about(number, prompt.model()), why);
        manners.describe(response, number, scope, sight, sight, complaint.after());
        send(response, complaint.status(), complaint.body());
      }
      case Verdict.Admitted(Serving serving) -> {
        Draw name = draw(Draw.Purpose.NAME, key, prompt, identity, before.sent());
        Wire.Reply reply =
            new Wire.Reply(
                api,
                prompt,
                answer,
                serving.split(),
                HexFormat.of().toHexDigits(name.bits())
                    + HexFormat.of().toHexDigits((int) name.bits()),
                clock.at(now).getEpochSecond(),
                serving.struckBy(Fault.Kind.NO_USAGE)
                    ? 0
                    : serving.struckBy(Fault.Kind.HUGE_USAGE) ? 1_000 : 1);
        new Exchange(vertx, provider, request, manners, serving, reply, body).start();
      }
    }
  }

  private Draw draw(
      Draw.Purpose purpose, String key, Reading.Prompt prompt, long identity, int attempt) {
    return Draw.of(provider.settings().seed(), purpose, key, prompt.model(), identity, attempt);
  }

  private Answer answer(
      Caller caller, Api api, JsonNode body, Reading.Prompt prompt, String id, Draw draw) {
    if (!api.streams()) {
      return Answer.NOTHING;
    }
    String model = prompt.model();
    String whole =
        caller
            .number("x-sim-output-tokens")
            .map(tokens -> Tokens.lorem(tokens, model, draw))
            .orElseGet(
                () -> {
                  Answers answers = provider.settings().answers();
                  return answers.to(id, Reader.system(body), prompt.said(), model, draw);
                });
    boolean calls = !prompt.tool().isEmpty() && Wire.json(whole).isObject();
    return Answer.of(whole, prompt.longest(), model, calls ? prompt.tool() : "");
  }
}
