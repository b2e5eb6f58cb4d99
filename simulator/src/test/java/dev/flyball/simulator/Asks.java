package dev.flyball.simulator;

import java.util.List;

/** Requests as the limits see them, and what becomes of them. */
final class Asks {
  static final long SECOND = 1_000_000;

  private Asks() {}

  static Ask ask(String id, int attempt, long input, long longest, long output) {
    return new Ask(
        "org",
        "key",
        "m",
        id,
        Draw.hash(id),
        attempt,
        attempt,
        input,
        List.of(),
        longest,
        Math.min(longest, output),
        false,
        true);
  }

  static Ask small(String id) {
    return ask(id, 0, 1, 1, 1);
  }

  /** One with marks in its prompt and an answer of ten tokens. */
  static Ask marked(String id, long input, PromptCache.Prefix... marks) {
    return new Ask(
        "org", "key", "m", id, Draw.hash(id), 0, 0, input, List.of(marks), 10, 10, false, true);
  }

  static boolean admitted(Provider provider, Ask ask, long now) {
    return provider.admit(ask, now) instanceof Verdict.Admitted;
  }

  static Serving served(Provider provider, Ask ask, long now) {
    return switch (provider.admit(ask, now)) {
      case Verdict.Admitted(Serving serving) -> serving;
      case Verdict.Rejected rejected -> throw new AssertionError(rejected.why());
      case Verdict.Dropped dropped -> throw new AssertionError("dropped");
    };
  }

  static Rejection rejection(Provider provider, Ask ask, long now) {
    return switch (provider.admit(ask, now)) {
      case Verdict.Rejected rejected -> rejected.why();
      case Verdict.Admitted admitted -> throw new AssertionError("admitted");
      case Verdict.Dropped dropped -> throw new AssertionError("dropped");
    };
  }

  static long level(Serving serving, long now) {
    return serving.scope().sight(now).all().getFirst().level();
  }
}
