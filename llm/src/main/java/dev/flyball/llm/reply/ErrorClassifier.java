package dev.flyball.llm.reply;

import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The classification of errors: a limit to wait for, an overload to try again after, or a refusal
 * that somebody has to do something about. The one place for that, for every provider.
 */
public final class ErrorClassifier {
  private static final Pattern SPEND_LIMIT_END =
      Pattern.compile("regain access on (\\d{4}-\\d{2}-\\d{2})(?: at (\\d{2}:\\d{2}))?");
  private static final Pattern MODEL =
      Pattern.compile("(?i)model|deployment|engine|resourcenotfound");
  private static final String NO_USE = "the provider says that retrying is of no use";

  private ErrorClassifier() {}

  /** What a reply is whose status is not one of success. */
  public static <T> Reply<T> classify(ReplyHead head, byte[] body) {
    var error = ErrorBody.of(body).typed(head.first("x-amzn-errortype"));
    var exceeded = ExceededLimit.in(error);
    var signals = SignalReader.read(head, error, exceeded);
    boolean success = head.status() >= 200 && head.status() < 300;
    int status = success ? error.status().orElse(head.status()) : head.status();
    var verdict = ErrorVerdict.of(error, status, exceeded, signals);
    var message = SafeMessage.of(error.message(), "HTTP " + head.status());
    if (verdict == ErrorVerdict.THROTTLED && lacksFastMode(head)) {
      return Reply.rejected(
          message, "fast mode is not part of this plan: send the call without it");
    }
    var shouldRetry = head.first("x-should-retry").orElse("");
    if (shouldRetry.equalsIgnoreCase("false") && !verdict.isFinal()) {
      return Reply.rejected(message, NO_USE + ": read its message, or its status page");
    }
    boolean again = verdict == ErrorVerdict.WRONG || verdict == ErrorVerdict.GONE;
    if (shouldRetry.equalsIgnoreCase("true") && again && status < 500) {
      return new Reply.Overloaded<>(message, signals);
    }
    return switch (verdict) {
      case THROTTLED -> new Reply.Throttled<>(message, signals);
      case OVERLOADED -> new Reply.Overloaded<>(message, signals);
      case UNPAID, NOT_IN_PLAN, CLOSED, FORBIDDEN, TOO_LARGE, GONE, WRONG -> {
        var until =
            verdict == ErrorVerdict.UNPAID
                ? paidAgain(error, head, signals)
                : Optional.<Duration>empty();
        yield rejected(verdict, until, message, head);
      }
    };
  }

  /**
   * The same where nothing was ever answered: if nothing is at the address, and it is not a model
   * that is missing there, the next call would find nothing either.
   */
  public static <T> Reply<T> first(ReplyHead head, byte[] body) {
    Reply<T> reply = classify(head, body);
    boolean missing = head.status() == 404 || head.status() == 405;
    return missing
            && reply instanceof Reply.Rejected<T> no
            && !MODEL.matcher(ErrorBody.of(body).codes() + " " + no.message()).find()
        ? new Reply.Rejected<>(
            "nothing is at this address: " + no.message(),
            "check the address and its path",
            true,
            no.until())
        : reply;
  }

  /**
   * What an error is that comes inside a stream, after a status of success. The headers are as old
   * as the stream, so what they said about limits is not said again.
   *
   * @param soFar what the stream had used up to then
   */
  public static <T> Reply<T> inStream(String errorJson, ReplyHead head, Usage soFar) {
    var date = head.headers().getOrDefault("date", List.of());
    var bare = new ReplyHead(head.status(), Map.of("date", date), head.at());
    Reply<T> reply = classify(bare, errorJson.getBytes(StandardCharsets.UTF_8));
    return reply instanceof Reply.Overloaded<T>(String message, Signals signals)
            && soFar.output() > 0
        ? new Reply.CutShort<>(message, soFar, signals)
        : reply;
  }

  private static boolean lacksFastMode(ReplyHead head) {
    return head.first("anthropic-fast-input-tokens-limit").filter("0"::equals).isPresent()
        && head.first("retry-after").isEmpty();
  }

  private static <T> Reply<T> rejected(
      ErrorVerdict verdict, Optional<Duration> until, String message, ReplyHead head) {
    var advice =
        switch (verdict) {
          case UNPAID ->
              until.isPresent()
                  ? "raise the spend limit in the provider's console, or wait until that date"
                  : "add credit or raise the spend limit in the provider's console, and run again";
          case NOT_IN_PLAN -> "the plan has none of this model: enable billing, or use another";
          case CLOSED -> "the account is closed: ask the provider, or use another account's key";
          case FORBIDDEN ->
              head.status() == 403
                  ? "see in the provider's console what the key may use: model, region, project"
                  : "check the API key, and that it belongs to this address";
          case TOO_LARGE ->
              "make the prompt or max_tokens smaller, or use a model with a larger limit";
          case GONE ->
              head.status() == 410
                  ? "it has been retired: use another model"
                  : "check the model's name and the address";
          case WRONG ->
              head.status() < 400
                  ? "check the address: the server redirects elsewhere"
                  : "correct the request; as it is, it will be refused again";
          case THROTTLED, OVERLOADED -> NO_USE;
        };
    return new Reply.Rejected<>(message, advice, verdict.isWhole(), until);
  }

  /** When a spend limit ends, if the message says so, or a hint that is no rate limit's. */
  private static Optional<Duration> paidAgain(ErrorBody error, ReplyHead head, Signals signals) {
    var found = SPEND_LIMIT_END.matcher(error.message());
    if (!found.find()) {
      return signals.retryAfter().filter(wait -> wait.compareTo(LimitPeriod.HOUR) > 0);
    }
    var hour = found.group(2) == null ? "00:00" : found.group(2);
    return new ServerTime(head).untilUtc(found.group(1) + "T" + hour).filter(Duration::isPositive);
  }
}
