package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.CallAttempt;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.limit.PromptPrefix;
import dev.flyball.simulator.limit.Rejection;
import dev.flyball.simulator.value.RandomDraw;
import java.util.List;

/** Requests as the limits see them, and what becomes of them. */
final class SampleRequests {
  static final long SECOND = 1_000_000;

  private SampleRequests() {}

  static ModelRequest ask(String id, int attempt, long input, long longest, long output) {
    return new ModelRequest(
        new CallAttempt("org", "key", "m", id, RandomDraw.hash(id), attempt, attempt),
        input,
        List.of(),
        longest,
        Math.min(longest, output),
        false,
        true);
  }

  static ModelRequest small(String id) {
    return ask(id, 0, 1, 1, 1);
  }

  /** One with marks in its prompt and an answer of ten tokens. */
  static ModelRequest marked(String id, long input, PromptPrefix... marks) {
    return new ModelRequest(
        new CallAttempt("org", "key", "m", id, RandomDraw.hash(id), 0, 0),
        input,
        List.of(marks),
        10,
        10,
        false,
        true);
  }

  static boolean admitted(Provider provider, ModelRequest ask, long now) {
    return provider.admit(ask, now) instanceof Verdict.Admitted;
  }

  static Serving served(Provider provider, ModelRequest ask, long now) {
    return switch (provider.admit(ask, now)) {
      case Verdict.Admitted(Serving serving) -> serving;
      case Verdict.Rejected rejected -> throw new AssertionError(rejected.why());
      case Verdict.Dropped dropped -> throw new AssertionError("dropped");
    };
  }

  static Rejection rejection(Provider provider, ModelRequest ask, long now) {
    return switch (provider.admit(ask, now)) {
      case Verdict.Rejected rejected -> rejected.why();
      case Verdict.Admitted admitted -> throw new AssertionError("admitted");
      case Verdict.Dropped dropped -> throw new AssertionError("dropped");
    };
  }

  static long level(Serving serving, long now) {
    return serving.scope().snapshot(now).all().getFirst().level();
  }
}
