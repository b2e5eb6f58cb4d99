package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Call;
import dev.flyball.call.LaneId;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.call.RetryPolicy;
import dev.flyball.call.Usage;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Timeouts;
import dev.flyball.llm.WebRequest;
import dev.flyball.llm.reply.SafeMessage;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.Time;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way to a host: over HTTP, within its limits.
 *
 * <p>Its limits are kept as those of a provider are: in a lane of its own, and another for GraphQL,
 * which it counts apart. What it refuses because of a limit waits its turn there and is asked
 * again.
 *
 * <p>A request that writes is another matter than one that reads. Where nobody knows whether it was
 * carried out, because the reply was lost or says 500, it is not sent again: whoever sent it looks
 * first at what is there now. A refusal because of a limit was not carried out, and is repeated.
 */
final class HostConnection implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST = 64 << 20;
  private static final int ABSENT = 3;
  private static final String UNKNOWN = "nobody knows whether it was done";
  private static final int MOST_PAGES = 100;
  private static final Timeouts PATIENCE =
      new Timeouts(
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10));
  private static final RetryPolicy RETRIES =
      new RetryPolicy(2, Duration.ofMillis(500), Duration.ofSeconds(5), 1);

  private final HostPlace place;
  private final HttpConnections http;
  private final Flyball flyball;
  private final LaneId rest;
  private final LaneId graph;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean spoke;

  /** Whether the last that was asked of it had no reply. */
  private volatile boolean silent;

  HostConnection(
      HostPlace place, Map<String, String> environment, Time time, Duration longestWait) {
    this.place = place;
    this.http = HttpConnections.of(PATIENCE, time::wall, environment);
    this.flyball =
        Flyball.builder().time(time).maxWait(longestWait).retries(RETRIES).mostInFlight(8).build();
    this.rest = LaneId.of(place.kind() + ":" + place.host(), "rest");
    this.graph = LaneId.of(place.kind() + ":" + place.host(), "graphql");
  }

  HostPlace place() {
    return place;
  }

  boolean hasToken() {
    return place.token().isPresent();
  }

  /** Reads; a path begins behind the address, or is an address that the host itself gave. */
  HostReply get(String path, String accept) throws HostTrouble, InterruptedException {
    return run("GET", path, accept, "", false);
  }

  /** Reads JSON that must be there. */
  JsonNode json(String path) throws HostTrouble, InterruptedException {
    return need(get(path, accept()), path).json();
  }

  /** Reads a list to its end, over all its pages. */
  List<JsonNode> pages(String path) throws HostTrouble, InterruptedException {
    var all = new ArrayList<JsonNode>();
    var next = Optional.of(path);
    for (int page = 0; next.isPresent() && page < MOST_PAGES; page++) {
      var reply = need(get(next.get(), accept()), path);
      reply.json().forEach(all::add);
      next = reply.next().filter(this::isOwn);
    }
    return all;
  }

  /** Writes, once. */
  HostReply write(String method, String path, ObjectNode body)
      throws HostTrouble, InterruptedException {
    Publisher.needToken(place);
    return run(method, path, accept(), body.toString(), true);
  }

  /** Asks in GraphQL. A query may be repeated, and so may a mutation that sets what is set. */
  JsonNode graph(String query, ObjectNode variables) throws HostTrouble, InterruptedException {
    Publisher.needToken(place);
    var body = JSON.createObjectNode().put("query", query);
    body.set("variables", variables);
    var reply = need(run("POST", "", accept(), body.toString(), false), "GraphQL");
    var error = reply.graphError();
    if (!error.isMissingNode()) {
      throw new HostTrouble(
          switch (error.path("type").asText()) {
            case "FORBIDDEN" -> HostTrouble.Reason.READ_ONLY;
            case "NOT_FOUND" -> HostTrouble.Reason.NOT_FOUND;
            default -> HostTrouble.Reason.INVALID;
          },
          place + " does not do it: " + safe(error.path("message").asText()));
    }
    return reply.json().path("data");
  }

  /** A reply that says yes; of another, why not. */
  HostReply need(HostReply reply, String what) throws HostTrouble {
    if (reply.worked()) {
      return reply;
    }
    throw trouble(reply, what);
  }

  HostTrouble trouble(HostReply reply, String what) {
    var words = safe(reply.words());
    var said = words.isEmpty() ? "HTTP " + reply.status() : reply.status() + ", " + words;
    return switch (reply.status()) {
      case 401 ->
          new HostTrouble(
              HostTrouble.Reason.REFUSED,
              "%s refuses the token in %s (%s): use a valid one"
                  .formatted(place, place.kind().variable(), said));
      case 403 ->
          new HostTrouble(
              HostTrouble.Reason.READ_ONLY,
              "the token in %s may not do this at %s (%s): it needs write access to pull requests, which a fork's job does not have"
                  .formatted(place.kind().variable(), place, said));
      case 404 ->
          new HostTrouble(
              HostTrouble.Reason.NOT_FOUND,
              hasToken()
                  ? "%s has no %s that this token may see".formatted(place, what)
                  : "%s has no %s that can be read without a token: put one into %s"
                      .formatted(place, what, place.kind().variable()));
      case 301, 302, 307, 308 ->
          new HostTrouble(
              HostTrouble.Reason.NOT_FOUND,
              "%s says that %s has moved: use its new name".formatted(place, what));
      case 406 ->
          new HostTrouble(
              HostTrouble.Reason.TOO_LARGE, "%s does not show it: %s".formatted(place, said));
      default ->
          new HostTrouble(
              reply.status() >= 500 ? HostTrouble.Reason.UNCERTAIN : HostTrouble.Reason.INVALID,
              "%s answers %s".formatted(place, said));
    };
  }

  private HostReply run(String method, String path, String accept, String body, boolean once)
      throws HostTrouble, InterruptedException {
    boolean graphQl = path.isEmpty();
    var address = address(path);
    var headers = new LinkedHashMap<String, String>();
    headers.put("Accept", accept);
    switch (place.kind()) {
      case GITHUB -> {
        headers.put("X-GitHub-Api-Version", "2022-11-28");
        place.token().ifPresent(token -> headers.put("Authorization", "Bearer " + token));
      }
      case GITLAB -> place.token().ifPresent(token -> headers.put("PRIVATE-TOKEN", token));
    }
    WebRequest request;
    try {
      request = new WebRequest(method, address, headers, body, LONGEST);
    } catch (IllegalArgumentException no) {
      throw new HostTrouble(HostTrouble.Reason.INVALID, String.valueOf(no.getMessage()));
    }
    var call = Call.to(graphQl ? graph : rest).named(method + " " + address.getRawPath());
    Outcome<HostReply> outcome =
        flyball.run(
            call,
            attempt -> {
              try {
                var reply = http.send(request);
                spoke = true;
                silent = false;
                attempt.sighted(HostLimits.signals(place.kind(), reply.head()));
                return of(new HostReply(reply.head(), reply.body()), graphQl, once);
              } catch (WebRequest.Failure failure) {
                silent = true;
                return failed(failure, once);
              }
            });
    return switch (outcome) {
      case Outcome.Done<HostReply> done -> done.value();
      case Outcome.Refused<HostReply> refused ->
          throw silent
              ? new HostTrouble(
                  HostTrouble.Reason.UNREACHABLE,
                  "%s does not answer any more: %s".formatted(place, refused.refusal().advice()))
              : new HostTrouble(
                  HostTrouble.Reason.LIMITED,
                  "%s limits this token for now: %s".formatted(place, refused.refusal().advice()));
      case Outcome.GaveUp<HostReply> gaveUp -> throw gaveUp(gaveUp);
    };
  }

  private HostTrouble gaveUp(Outcome.GaveUp<HostReply> end) {
    boolean limited = end.last().filter(it -> it.kind() == Reply.Kind.THROTTLED).isPresent();
    boolean lost = end.last().filter(Reply.Rejected.class::isInstance).isPresent();
    return new HostTrouble(
        limited
            ? HostTrouble.Reason.LIMITED
            : lost && end.why().startsWith(UNKNOWN)
                ? HostTrouble.Reason.UNCERTAIN
                : HostTrouble.Reason.UNREACHABLE,
        "%s: %s".formatted(place, end.why()));
  }

  private Reply<HostReply> of(HostReply reply, boolean graphQl, boolean once) {
    var signals = HostLimits.signals(place.kind(), reply.head());
    var wait = HostLimits.wait(place.kind(), reply, graphQl);
    if (wait.isPresent()) {
      return new Reply.Throttled<>(safe(reply.words()), signals.retryAfter(wait.get()));
    }
    if (reply.status() >= 500 && !once) {
      return new Reply.Overloaded<>(safe(reply.words()), signals);
    }
    return Reply.answered(reply, Usage.NONE, signals);
  }

  private Reply<HostReply> failed(WebRequest.Failure failure, boolean once) {
    var message = String.valueOf(failure.getMessage());
    if (once && failure.sent()) {
      return Reply.rejected(UNKNOWN + ": " + message, "look at what is there");
    }
    // Whoever was never there is not waited for.
    boolean absent = failures.incrementAndGet() >= ABSENT && !spoke;
    return failure.lasting() || absent
        ? Reply.rejected(message, "check the address")
        : new Reply.Broken<>(message, failure.sent());
  }

  private String accept() {
    return place.kind() == HostKind.GITHUB ? "application/vnd.github+json" : "application/json";
  }

  private URI address(String path) throws HostTrouble {
    try {
      return path.isEmpty() ? place.graph() : URI.create(isOwn(path) ? path : place.rest() + path);
    } catch (IllegalArgumentException no) {
      throw new HostTrouble(HostTrouble.Reason.INVALID, "there is no such path at " + place);
    }
  }

  /** A token goes nowhere else, whatever a reply names as its next page. */
  private boolean isOwn(String address) {
    return address.startsWith(place.rest() + "/");
  }

  private String safe(String words) {
    var shown = SafeMessage.of(words, "");
    return place.token().map(token -> shown.replace(token, "[redacted]")).orElse(shown);
  }

  @Override
  public void close() {
    flyball.drain();
    http.close();
  }
}
