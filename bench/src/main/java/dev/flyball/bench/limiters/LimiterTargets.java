package dev.flyball.bench.limiters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is promised of a run against a limiter that says nothing of itself. */
public final class LimiterTargets {
  public static final double FRESH = 1.2;
  public static final double REMEMBERING = 1.1;
  public static final int REFUSALS = 15;
  public static final Duration SILENCE = Duration.ofSeconds(5);

  /** Waits are told in whole seconds, and the machine may be busy. */
  public static final Duration ROUNDING = Duration.ofMillis(500);

  public static final double BEHIND_THE_SDK = 1.03;

  private LimiterTargets() {}

  /** What was missed, in a few words each; nothing if all was kept. */
  public static List<String> missed(
      LimiterRow row, LimiterScore fresh, LimiterScore remembering, Optional<LimiterScore> sdk) {
    var missed = new ArrayList<String>();
    one(missed, row, "fresh", FRESH, fresh, sdk);
    one(missed, row, "remembering", REMEMBERING, remembering, sdk);
    return missed;
  }

  private static void one(
      List<String> missed,
      LimiterRow row,
      String who,
      double most,
      LimiterScore score,
      Optional<LimiterScore> sdk) {
    var what = new ArrayList<String>();
    if (score.ratio() > most || score.stopped()) {
      what.add(score.times() + " ×");
    }
    if (score.refusals() > REFUSALS) {
      what.add("%.0f refusals".formatted(score.refusals()));
    }
    if (score.silence() * 1e9 > silence(row).plus(ROUNDING).toNanos()) {
      what.add("%.1f s still".formatted(score.silence()));
    }
    if (score.unanswered() > 0) {
      what.add("lost " + score.unanswered());
    }
    if (score.twice() > 0) {
      what.add("twice " + score.twice());
    }
    if (sdk.filter(peer -> score.ratio() > peer.ratio() * BEHIND_THE_SDK)
        .filter(peer -> peer.unanswered() == 0)
        .isPresent()) {
      what.add("behind the SDK");
    }
    if (!what.isEmpty()) {
      missed.add(who + ": " + String.join(", ", what));
    }
  }

  /** The limiter's own span, or five seconds. */
  static Duration silence(LimiterRow row) {
    var span = row.rule().span();
    return span.compareTo(SILENCE) < 0 ? SILENCE : span;
  }
}
