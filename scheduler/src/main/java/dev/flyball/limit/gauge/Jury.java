package dev.flyball.limit.gauge;

import java.util.Arrays;

/**
 * The say that each gauge has about one limit.
 *
 * <h2>The idea</h2>
 *
 * Every limiter is a gauge with a red line: it adds something up, and turns a call away when the
 * pointer would pass the line. Limiters differ in what they add up, not in how they decide. So a
 * thousand toy gauges watch the same calls, and of each two numbers are kept: the highest reading
 * at which a call was let in, and the lowest at which one was turned away. A gauge of the right
 * kind has the first below the second for ever. A gauge of the wrong kind is sooner or later turned
 * away below a reading that was let in before, or let in above one that was turned away, and then
 * loses most of its say.
 *
 * <p>A call goes when the majority, by weight, would let it in: when at most half of the weight is
 * with gauges on which it would pass what was let in so far. So a refusal is a mistake of the
 * majority, and takes about half of the weight from what is wrong; the number of refusals grows
 * with the logarithm of the number of explanations. Being too slow is corrected as well: who said
 * "not yet", and is shown a call that was let in, pays too. A little weight is handed back to
 * everybody with each refusal: so a limit that changes is followed.
 *
 * <h2>What must hold</h2>
 *
 * Being wrong by less than the network blurs costs nothing: calls that are sent together arrive in
 * any order (buckets), a window's edge moves by the way there (sliding windows), and replies that
 * are on the wire count here and no longer there (calls in flight). Refusals of one round trip are
 * one piece of evidence. Why not estimate a rate: a drought says "not yet", and nothing about a
 * rate; what would be a mean for a bucket is nonsense for a window.
 */
final class Jury {
  /** What is left of a say after being wrong once. */
  static final double LEFT = 0.15;

  private static final double LOG_LEFT = Math.log(LEFT);

  /** How often it was wrong if a call may only have been a little too early. */
  private static final double A_LITTLE_WRONG = 0.6;

  /** The part of all weight that is handed back with each refusal. */
  private static final double SHARED = 0.003;

  /** Below this part of the largest, a say is not heard. */
  private static final double UNHEARD = 1e-5;

  /** Nobody has less to say than that. */
  private static final double SILENCED = 1e-10;

  /** A gauge that comes late and was never wrong has no more, by its prior, than that. */
  private static final double MOST_UNPUNISHED = 100;

  /** How often calls were turned away of late, where nobody remembers. */
  private static final double USUAL_TROUBLE = 0.5;

  /** Nobody has a bucket that takes longer than that to fill. */
  private static final double LONGEST_BUCKET = 100;

  private final Families families;
  private final GaugeBlur blur;
  private final double[] letIn;
  private final double[] refused;
  private final double[] weight;

  /** The logarithm of the weight, by its prior, of a gauge that was never wrong. */
  private double unpunished;

  private boolean sitting;

  /** The places of those that are heard, as long as no weight has changed. */
  private final int[] heard;

  private int heardCount;
  private boolean weightsChanged = true;
  private double total;

  Jury(Families families, GaugeBlur blur) {
    this.families = families;
    this.blur = blur;
    letIn = new double[families.count()];
    refused = new double[families.count()];
    Arrays.fill(refused, Double.POSITIVE_INFINITY);
    weight = families.prior.clone();
    heard = new int[families.count()];
  }

  /** The same opinions, to go back to. */
  Jury(Jury other) {
    families = other.families;
    blur = other.blur;
    letIn = other.letIn.clone();
    refused = other.refused.clone();
    weight = other.weight.clone();
    unpunished = other.unpunished;
    sitting = other.sitting;
    heard = new int[letIn.length];
  }

  /** Whether it has been shown a refusal, now or in an earlier run. */
  boolean isSitting() {
    return sitting;
  }

  double line(int gauge) {
    return letIn[gauge];
  }

  /** The part of all weight that a gauge has. */
  double say(int gauge) {
    listen();
    return weight[gauge] / total;
  }

  /** The part of all weight that buckets have together. */
  double sayOfBuckets() {
    listen();
    double sum = 0;
    for (int h = 0; h < heardCount; h++) {
      sum += families.rate[heard[h]] > 0 ? weight[heard[h]] : 0;
    }
    return sum / total;
  }

  /** Finds out who is heard. */
  private void listen() {
    if (!weightsChanged) {
      return;
    }
    weightsChanged = false;
    double most = 0;
    total = 0;
    for (double each : weight) {
      most = Math.max(most, each);
      total += each;
    }
    heardCount = 0;
    for (int i = 0; i < weight.length; i++) {
      if (weight[i] >= UNHEARD * most) {
        heard[heardCount++] = i;
      }
    }
  }

  // ---- what it says ----

  /** How much of the weight says no to a call that has gone. */
  double doubt(CallReadings call) {
    listen();
    double no = 0;
    for (int h = 0; h < heardCount; h++) {
      int i = heard[h];
      double line = Math.max(families.size(i, call.tokens()), letIn[i]);
      no += call.shown[i] > line + 1e-3 ? weight[i] : 0;
    }
    return no / total;
  }

  /** How far below its lines a call was, from 0 at the line to 1. */
  double room(CallReadings call) {
    listen();
    double room = 0;
    for (int h = 0; h < heardCount; h++) {
      int i = heard[h];
      double line = Math.max(families.size(i, call.tokens()), letIn[i]);
      room += weight[i] * Math.clamp(1 - call.shown[i] / line, 0, 1);
    }
    return room / total;
  }

  /** For how long a call too many may shut everything, as far as that is believed, in seconds. */
  double penalty(double now) {
    listen();
    double sum = 0;
    for (int h = 0; h < heardCount; h++) {
      sum += weight[heard[h]] * families.penalty(heard[h], now);
    }
    return sum / total;
  }

  /** Asks everybody who is heard when a call could go. */
  void ask(double now, double tokens, Openings openings) {
    listen();
    openings.clear();
    for (int h = 0; h < heardCount; h++) {
      int i = heard[h];
      openings.add(opensAt(i, now, tokens), weight[i], families.penalty(i, now));
    }
  }

  private double opensAt(int gauge, double now, double tokens) {
    double size = families.size(gauge, tokens);
    return families.opensAt(gauge, now, size, Math.max(size, letIn[gauge]));
  }

  /** How often the gauge that was wrong least has been wrong. */
  double leastWrong() {
    double best = 0;
    for (int i = 0; i < weight.length; i++) {
      if (families.prior[i] > 0) {
        best = Math.max(best, weight[i] / families.prior[i]);
      }
    }
    return (Math.log(best) - unpunished) / LOG_LEFT;
  }

  // ---- what it is shown ----

  void letIn(CallReadings call) {
    for (int i = 0; i < weight.length; i++) {
      double shown = call.least(i);
      if (shown > letIn[i]) {
        if (isPastHearing(i) && shown > refused[i] && shown < Gauge.SHUT) {
          wrongAgain(i, shown, call.tokens());
        } else {
          letIn(i, shown, call.tokens());
        }
      }
    }
  }

  /** Most gauges are wrong of most calls: what they say is as nothing already. */
  private boolean isPastHearing(int gauge) {
    return weight[gauge] <= SILENCED && gauge != families.inFlight;
  }

  /** A call was let in at which a gauge showed more than at any other before. */
  private void letIn(int gauge, double shown, double tokens) {
    if (shown < refused[gauge] - blur.edge(gauge) && shown < Gauge.SHUT) {
      letIn[gauge] = shown;
    } else {
      letInAbove(gauge, shown, tokens);
    }
  }

  /** A call was let in about where others were turned away. */
  private void letInAbove(int gauge, double shown, double tokens) {
    if (shown >= Gauge.SHUT) {
      punish(gauge, 1);
    } else if (shown < refused[gauge] - Gauge.DUST) {
      letIn[gauge] = Math.max(letIn[gauge], refused[gauge] - blur.edge(gauge));
    } else {
      punish(gauge, blur.tooStrict(gauge, shown, refused[gauge]));
      if (gauge == families.inFlight) {
        refused[gauge] += blur.isFarAbove(shown, refused[gauge]) ? 1 : 0.34;
        letIn[gauge] = Math.max(1, Math.floor(refused[gauge]) - 1);
      } else {
        wrongAgain(gauge, shown, tokens);
      }
    }
  }

  /** What was let in above its line moves the line. */
  private void wrongAgain(int gauge, double shown, double tokens) {
    letIn[gauge] = shown;
    refused[gauge] = shown + (families.rate[gauge] > 0 ? 1e-3 : families.size(gauge, tokens));
  }

  private void punish(int gauge, double times) {
    if (times > 0 && weight[gauge] > SILENCED) {
      weight[gauge] *= times == 1 ? LEFT : Math.exp(times * LOG_LEFT);
      weightsChanged = true;
    }
  }

  /**
   * A call was turned away.
   *
   * @param together how many went so soon after it that they may have arrived before it
   * @param news whether no refusal of the same round trip was shown before
   * @param trouble how often calls were turned away of late
   */
  void refused(CallReadings call, double together, boolean news, double trouble) {
    if (!sitting) {
      sitting = true;
      firstRefusal();
    }
    for (int i = 0; i < weight.length; i++) {
      if (call.shown[i] < Gauge.SHUT) {
        double size = families.size(i, call.tokens());
        double shown = call.shown[i] + size * blur.bunched(i, together);
        refused(i, call.sentAt(), shown, size, news, trouble);
      }
    }
    if (news) {
      share();
    }
  }

  private void refused(
      int gauge, double sentAt, double shown, double size, boolean news, double trouble) {
    if (shown > letIn[gauge] + (families.rate[gauge] > 0 ? 0.02 : Gauge.DUST)) {
      refused[gauge] = Math.min(refused[gauge], shown);
    } else if (families.mayBeEarly(gauge, sentAt)) {
      punish(gauge, news ? A_LITTLE_WRONG : 0);
    } else {
      if (news) {
        punish(gauge, blur.tooLax(gauge, shown, letIn[gauge], size));
      }
      refused[gauge] = shown;
      letIn[gauge] = Math.max(size, shown - size * blur.stepBack(gauge, shown, trouble));
    }
  }

  private void firstRefusal() {
    for (int i = 0; i < weight.length; i++) {
      if (families.rate[i] > 0 && letIn[i] / families.rate[i] > LONGEST_BUCKET) {
        weight[i] *= 0.05;
      }
    }
    // One or two at a time: more often that is a bucket of one.
    if (letIn[families.inFlight] < 2.5) {
      weight[families.inFlight] *= 0.3;
    }
    weightsChanged = true;
  }

  /** Hands a little back to everybody. */
  private void share() {
    double all = Arrays.stream(weight).sum();
    // The little that is handed back is nothing beside it.
    unpunished += Math.log((1 - SHARED) / all);
    for (int i = 0; i < weight.length; i++) {
      weight[i] = (1 - SHARED) * weight[i] / all + SHARED * families.prior[i];
    }
    weightsChanged = true;
  }

  /** The provider says how long it stays so; whoever thinks otherwise loses part of the say. */
  void told(double until, double now, double tokens) {
    for (int i = 0; i < weight.length; i++) {
      if (i != families.inFlight) {
        double opening = opensAt(i, now, tokens);
        // Waits are told in whole seconds, rounded up.
        boolean contradicts = opening > until + 0.1 || opening < until - 1.1;
        weight[i] *= contradicts ? 0.4 : 1;
      }
    }
    weightsChanged = true;
  }

  // ---- gauges that come late ----

  /** A gauge gets a place, with the weight of one that was never wrong: it is shown the record. */
  void seat(int gauge) {
    letIn[gauge] = 0;
    refused[gauge] = Double.POSITIVE_INFINITY;
    weight[gauge] = families.prior[gauge] * Math.min(MOST_UNPUNISHED, Math.exp(unpunished));
    weightsChanged = true;
  }

  /** A gauge is shown a call of the record that was let in. */
  void missedLetIn(int gauge, double shown, double tokens) {
    if (shown > letIn[gauge]) {
      letIn(gauge, shown, tokens);
    }
  }

  /** A gauge is shown a call of the record that was turned away. */
  void missedRefusal(int gauge, double sentAt, double shown, double tokens, boolean news) {
    if (shown < Gauge.SHUT) {
      refused(gauge, sentAt, shown, families.size(gauge, tokens), news, USUAL_TROUBLE);
    }
  }

  /** The gauge that has the most to say. */
  int leader() {
    int leader = 0;
    for (int i = 1; i < weight.length; i++) {
      leader = weight[i] > weight[leader] ? i : leader;
    }
    return leader;
  }

  /** An earlier run believed in these; all others begin with a twentieth of their say. */
  void recall(int place, double line, double say) {
    if (!sitting) {
      sitting = true;
      for (int i = 0; i < weight.length; i++) {
        weight[i] *= 0.05;
      }
    }
    weight[place] += say;
    letIn[place] = line;
    refused[place] = line + 1;
    weightsChanged = true;
  }
}
