package dev.flyball.fleet.queue;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * How many workers a queue wants.
 *
 * <p>Little's law: what is in a system on average is how much comes in a second, times the seconds
 * that each is there. With so many workers nobody waits and nobody idles; with fewer the queue
 * grows, and with it the time that each is there, which asks for more. Only two things are not in
 * that law: a pile that came at once, which no mean over minutes explains, and for which there is
 * one worker each; and what the limits of the provider let in, above which a worker would only wait
 * in another queue.
 *
 * @param workers how many
 * @param why in a sentence
 */
public record LittlesLaw(int workers, String why) {
  /** A pile is more than this many times what the law explains, and a few. */
  private static final double PILE = 2;

  private static final int FEW = 3;

  /**
   * {@return how many workers there should be}
   *
   * @param admission how many the provider's limits can keep busy, if that is known
   * @param most never more
   */
  public static LittlesLaw of(QueueFlow flow, OptionalDouble admission, int most) {
    long there = flow.waiting() + flow.working();
    double asked = flow.perSecond() * flow.inSystem().map(LittlesLaw::seconds).orElse(0.0);
    String why;
    double workers = asked;
    if (flow.inSystem().isEmpty()) {
      workers = there;
      why = "none has ended yet, so one for each of the %,d that are there".formatted(there);
    } else if (there > PILE * Math.ceil(asked) + FEW) {
      workers = there;
      why =
          "%,d are there, and %s would explain %.1f: a pile, so one for each"
              .formatted(there, law(flow), asked);
    } else {
      why = law(flow);
    }
    long rounded = Math.max(1, Math.round(workers));
    if (admission.isPresent() && rounded > Math.ceil(admission.getAsDouble())) {
      rounded = Math.max(1, (long) Math.ceil(admission.getAsDouble()));
      why += "; but the provider's limits keep no more than %,d busy".formatted(rounded);
    }
    if (rounded > most) {
      rounded = most;
      why += "; but at most " + most;
    }
    return new LittlesLaw((int) rounded, why);
  }

  private static String law(QueueFlow flow) {
    return String.format(
        Locale.ROOT,
        "%.3g a second x %.3g s in the system",
        flow.perSecond(),
        flow.inSystem().map(LittlesLaw::seconds).orElse(0.0));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /**
   * {@return the part of them that one process keeps}
   *
   * @param place of this process among those that work, from 0
   * @param processes how many these are
   */
  public int share(int place, int processes) {
    return Math.max(1, workers / processes + (place < workers % processes ? 1 : 0));
  }
}
