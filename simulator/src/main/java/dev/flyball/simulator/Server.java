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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The provider's side of HTTP: one event loop, on which everything happens. */
final class Server {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern DEPLOYMENT = Pattern.compile("/deployments/([^/]+)/");
  private static final int LARGEST = 32 * 1024 * 1024;

  private final Vertx vertx;
  private final Clock clock = new Clock();
  private final Control control;
  private Provider provider;
  private Scope.@Nullable Sight stale;
  private long replies;
  private long dated;
  private String date = "";

  Server(Vertx vertx, Settings settings) {
    this.vertx = vertx;
    this.provider = new Provider(settings);
    this.control = new Control(this, clock);
  }

  Provider provider() {
    return provider;
  }

  /** Forgets everything that happened; what is under way is not counted. */
  void reset() {
    provider = new Provider(provider.settings());
    stale = null;
  }

  /** Written once a second, because it costs more than the rest of a short answer. */
  private String date(Instant now) {
    if (now.getEpochSecond() != dated) {
      dated = now.getEpochSecond();
      date = RateHeaders.date(now);
    }
    return date;
  }

  /** How replies on one path are written. */
  record Manners(Server server, Style style) {
    Complaint.Case about(String request, Wire.Reply reply) {
      return about(request, reply.prompt().model());
    }

    Complaint.Case about(String request, String model) {
      boolean hints = server.provider.settings().headers().mode() == Headers.Mode.FULL;
      return new Complaint.Case(style, request, model, hints);
    }

    void describe(HttpServerResponse response, Serving serving, long wait, Clock clock) {
      Scope.Sight current = serving.scope().sight(clock.micros());
      describe(response, serving.request(), serving.sightOnAdmission(), current, wait, clock);
    }

    void describe(
        HttpServerResponse response,
        String request,
        Scope.Sight admission,
        Scope.Sight current,
        long wait,
        Clock clock) {
      Instant now = clock.at(clock.micros());
      response.putHeader("date", server.date(now));
      response.putHeader(style == Style.ANTHROPIC ? "request-id" : "x-request-id", request);
      Headers headers = server.provider.settings().headers();
      if (headers.has(Headers.Bug.MISSING) && server.replies++ % 2 == 1) {
        return;
      }
      Scope.Sight seen = current;
      Scope.Sight seenOnAdmission = admission;
      if (headers.has(Headers.Bug.STALE)) {
        Scope.Sight before = server.stale;
        server.stale = current;
        seen = before == null ? current : before;
        seenOnAdmission = seen;
      }
      RateHeaders.of(style, headers, seenOnAdmission, seen, wait, now)
          .forEach(header -> response.headers().add(header.name(), header.value()));
    }
  }

  void handle(HttpServerRequest request) {
    String path = path(request);
    if (path.startsWith("/__sim/")) {
      request.body().onSuccess(body -> control.handle(request, body));
      return;
    }
    Api api = Api.of(request.method().name(), path);
    boolean messages = api.messages() || request.getHeader("anthropic-version") != null;
    Manners manners = new Manners(this, provider.settings().profile().style().on(messages));
    Optional<Reading.Invalid> refused = refused(request, api, manners.style());
    if (refused.isPresent()) {
      complain(request, manners, refused.get());
    } else if (api == Api.MODELS) {
      send(request.response(), 200, Wire.models(manners.style(), models(manners.style())));
    } else {
      receive(request, api, manners);
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

  private static Optional<Reading.Invalid> refused(
      HttpServerRequest request, Api api, Style style) {
    if (api == Api.NONE) {
      return Optional.of(
          new Reading.Invalid(404, "not_found_error", "", "", "Not found: " + path(request)));
    }
    String key = key(request);
    if (key.isEmpty()) {
      String advice =
          style == Style.ANTHROPIC
              ? "x-api-key header is required"
              : "You didn't provide an API key.";
      return Optional.of(unauthorized(style, advice));
    }
    if (key.startsWith("invalid")) {
      return Optional.of(
          unauthorized(
              style,
              style == Style.ANTHROPIC ? "invalid x-api-key" : "Incorrect API key provided."));
    }
    if (style == Style.ANTHROPIC && request.getHeader("anthropic-version") == null) {
      return Optional.of(Reading.Invalid.because("", "anthropic-version: header is required"));
    }
    return Optional.empty();
  }

  private static Reading.Invalid unauthorized(Style style, String message) {
    String type = style == Style.ANTHROPIC ? "authentication_error" : "invalid_request_error";
    return new Reading.Invalid(401, type, "invalid_api_key", "", message);
  }

  private static String key(HttpServerRequest request) {
    for (String name : List.of("x-api-key", "api-key", "x-goog-api-key")) {
      String key = request.getHeader(name);
      if (key != null) {
        return key;
      }
    }
    String bearer = request.getHeader("authorization");
    return bearer == null ? "" : bearer.replaceFirst("(?i)^Bearer\\s+", "");
  }

  private void complain(HttpServerRequest request, Manners manners, Reading.Invalid why) {
    Complaint complaint = Complaint.invalid(manners.style(), "req_sim_invalid", why);
    send(request.response(), complaint.status(), complaint.body());
  }

  static void send(HttpServerResponse response, int status, JsonNode body) {
    if (!response.closed()) {
      response.setStatusCode(status).putHeader("content-type", "application/json");
      response.end(Wire.text(body));
    }
  }

  private List<String> models(Style style) {
    List<String> names = new ArrayList<>();
    for (Profile.ModelClass each : provider.settings().profile().classes()) {
      names.addAll(each.models());
    }
    if (names.isEmpty()) {
      names.add(style == Style.ANTHROPIC ? "claude-sonnet-4-5" : "gpt-4o");
    }
    return names;
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
    Settings settings = provider.settings();
    String key = HexFormat.of().toHexDigits(Draw.hash(key(request)));
    String id = id(request, prompt);
    long identity = id.isEmpty() ? Draw.hash(bytes) : Draw.hash(id);
    String retries = request.getHeader("x-stainless-retry-count");
    int attempt =
        retries != null && retries.matches("\\d{1,6}")
            ? Integer.parseInt(retries)
            : provider.attempt(key, prompt.model(), identity);
    Draw draw = Draw.of(settings.seed(), key, prompt.model(), identity, 0);
    String name =
        HexFormat.of().toHexDigits(draw.bits()) + HexFormat.of().toHexDigits((int) draw.bits());
    Answer answer = answer(request, api, prompt, id, draw);
    long input = number(request, "x-sim-input-tokens").orElse(prompt.input());
    Ask ask =
        new Ask(
            key,
            prompt.model(),
            id,
            identity,
            attempt,
            input,
            prompt.breakpoints(),
            prompt.longest(),
            answer.tokens(),
            api != Api.COUNT_TOKENS);
    HttpServerResponse response = request.response();
    long now = clock.micros();
    switch (provider.admit(ask, now)) {
      case Verdict.Rejected(String number, Rejection why, Scope.Sight sight) -> {
        Complaint complaint = Complaint.of(manners.about(number, prompt.model()), why);
        manners.describe(response, number, sight, sight, complaint.after(), clock);
        send(response, complaint.status(), complaint.body());
      }
      case Verdict.Admitted(Serving serving) ->
          new Exchange(
                  vertx,
                  clock,
                  provider,
                  response,
                  () -> request.connection().close(),
                  manners,
                  serving,
                  new Wire.Reply(
                      api,
                      prompt,
                      answer,
                      serving.split(),
                      name,
                      clock.at(now).getEpochSecond(),
                      !serving.struckBy(Fault.Kind.NO_USAGE)),
                  body)
              .start();
    }
  }

  private Answer answer(
      HttpServerRequest request, Api api, Reading.Prompt prompt, String id, Draw draw) {
    if (api == Api.EMBEDDINGS || api == Api.COUNT_TOKENS) {
      return new Answer("", 0, false);
    }
    String model = prompt.model();
    String whole =
        number(request, "x-sim-output-tokens")
            .map(tokens -> Tokens.lorem(tokens, model, draw))
            .orElseGet(() -> provider.settings().answers().to(id, prompt.said(), model, draw));
    return Answer.of(whole, prompt.longest(), model);
  }

  private static Optional<Long> number(HttpServerRequest request, String header) {
    return Optional.ofNullable(request.getHeader(header))
        .filter(value -> value.matches("\\d{1,9}"))
        .map(Long::valueOf);
  }

  /** What the caller calls this request. */
  private static String id(HttpServerRequest request, Reading.Prompt prompt) {
    for (String name : List.of("x-sim-id", "x-client-request-id", "idempotency-key")) {
      String id = request.getHeader(name);
      if (id != null) {
        return id;
      }
    }
    return prompt.id();
  }
}
