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

  /** The part of all weight that is handed back with each refusal. */
  private static final double SHARED = 0.003;

  /** Below this part of the largest, a say is not heard. */
  private static final double UNHEARD = 1e-5;

  /** Nobody has a bucket that takes longer than that to fill. */
  private static final double LONGEST_BUCKET = 100;

  private final Families families;
  private final Network network;
  private final double[] letIn;
  private final double[] refused;
  private final double[] weight;

  /** The weight, by its prior, of a gauge that was never wrong. */
  private double unpunished = 1;

  private boolean sitting;

  /** When each that is heard would open, and its weight; scratch of {@link #agreed}. */
  private final double[] opens;

  private final double[] says;

  Jury(Families families, Network network) {
    this.families = families;
    this.network = network;
    int size = families.gauges.length;
    letIn = new double[size];
    refused = new double[size];
    Arrays.fill(refused, Double.POSITIVE_INFINITY);
    weight = families.prior.clone();
    opens = new double[size];
    says = new double[size];
  }

  /** The same opinions, to go back to. */
  Jury(Jury other) {
    families = other.families;
    network = other.network;
    letIn = other.letIn.clone();
    refused = other.refused.clone();
    weight = other.weight.clone();
    unpunished = other.unpunished;
    sitting = other.sitting;
    opens = new double[letIn.length];
    says = new double[letIn.length];
  }

  /** Whether it has been shown a refusal, now or in an earlier run. */
  boolean isSitting() {
    return sitting;
  }

  double line(int gauge) {
    return letIn[gauge];
  }

  double weight(int gauge) {
    return weight[gauge];
  }

  double total() {
    double sum = 0;
    for (double each : weight) {
      sum += each;
    }
    return sum;
  }

  // ---- what it says ----

  /** How much of the weight says no to a call that has gone. */
  double doubt(CallReadings call) {
    double no = 0;
    double all = 0;
    for (int i = 0; i < weight.length; i++) {
      all += weight[i];
      double size = families.gauges[i].sizeOf(call.tokens());
      no += call.shown[i] > Math.max(size, letIn[i]) + 1e-3 ? weight[i] : 0;
    }
    return no / all;
  }

  /** How far below its lines a call was, from 0 at the line to 1. */
  double room(CallReadings call) {
    double room = 0;
    double all = 0;
    for (int i = 0; i < weight.length; i++) {
      all += weight[i];
      double line = Math.max(families.gauges[i].sizeOf(call.tokens()), letIn[i]);
      room += weight[i] * Math.clamp(1 - call.shown[i] / line, 0, 1);
    }
    return room / all;
  }

  /**
   * Asks everybody who is heard when a call could go; {@link #agreed} and {@link #lastOpening} are
   * about the answers.
   *
   * @return how many are heard
   */
  int ask(double now, double tokens) {
    double most = 0;
    for (double each : weight) {
      most = Math.max(most, each);
    }
    int heard = 0;
    for (int i = 0; i < weight.length; i++) {
      if (weight[i] >= UNHEARD * most) {
        var gauge = families.gauges[i];
        double size = gauge.sizeOf(tokens);
        opens[heard] = gauge.opensAt(now, size, Math.max(size, letIn[i]));
        says[heard++] = weight[i];
      }
    }
    return heard;
  }

  /** The part of what is heard that opens later than a moment. */
  double against(int heard, double moment) {
    double no = 0;
    double all = 0;
    for (int i = 0; i < heard; i++) {
      no += opens[i] > moment ? says[i] : 0;
      all += says[i];
    }
    return no / all;
  }

  /** Whether most of what is heard opens about then. */
  boolean isSure(int heard, double moment, double now) {
    double near = 0;
    double all = 0;
    double about = 0.15 * (moment - now) + 0.02;
    for (int i = 0; i < heard; i++) {
      near += Math.abs(opens[i] - moment) <= about ? says[i] : 0;
      all += says[i];
    }
    return near > 0.6 * all;
  }

  /** The last moment up to another at which somebody who counts opens; 0 if there is none. */
  double lastOpening(int heard, double until) {
    double all = 0;
    for (int i = 0; i < heard; i++) {
      all += says[i];
    }
    double last = 0;
    for (int i = 0; i < heard; i++) {
      if (opens[i] <= until && says[i] > 1e-3 * all) {
        last = Math.max(last, opens[i]);
      }
    }
    return last;
  }

  /** The earliest moment after which at most such a part of what is heard says no. */
  double agreed(int heard, double part) {
    double all = 0;
    for (int i = 0; i < heard; i++) {
      all += says[i];
    }
    double allowed = part * all;
    double later = 0;
    int from = 0;
    int to = heard - 1;
    while (from < to) {
      double pivot = opens[(from + to) >>> 1];
      int i = from;
      int j = to;
      while (i <= j) {
        while (opens[i] < pivot) {
          i++;
        }
        while (opens[j] > pivot) {
          j--;
        }
        if (i <= j) {
          swap(i++, j--);
        }
      }
      double above = sum(i, to);
      double equal = sum(j + 1, i - 1);
      if (later + above > allowed) {
        from = i;
      } else if (later + above + equal > allowed) {
        return pivot;
      } else {
        later += above + equal;
        to = j;
      }
    }
    return opens[Math.max(0, Math.min(from, heard - 1))];
  }

  private double sum(int from, int to) {
    double sum = 0;
    for (int i = from; i <= to; i++) {
      sum += says[i];
    }
    return sum;
  }

  private void swap(int i, int j) {
    double moment = opens[i];
    double say = says[i];
    opens[i] = opens[j];
    says[i] = says[j];
    opens[j] = moment;
    says[j] = say;
  }

  // ---- what it is shown ----

  void letIn(CallReadings call) {
    for (int i = 0; i < weight.length; i++) {
      double shown = call.least(i);
      if (shown >= Gauge.SHUT) {
        weight[i] *= LEFT;
      } else if (i == families.inFlight && shown >= refused[i]) {
        boolean far = shown > refused[i] + 1 + network.onTheWire(shown);
        punish(i, far ? 1 : network.sharp(shown));
        refused[i] += far ? 1 : 0.34;
        letIn[i] = Math.max(1, Math.floor(refused[i]) - 1);
      } else if (shown > letIn[i]) {
        letIn[i] = shown;
        if (shown >= refused[i] - Gauge.DUST) {
          double rate = families.rate[i];
          punish(i, rate > 0 ? Math.min(1, (shown - refused[i]) / (1 + 0.02 * rate)) : 1);
          refused[i] = shown + (rate > 0 ? 1e-3 : families.gauges[i].sizeOf(call.tokens()));
        }
      }
    }
  }

  private void punish(int gauge, double times) {
    if (times > 0) {
      weight[gauge] *= Math.pow(LEFT, times);
    }
  }

  /**
   * A call was turned away.
   *
   * @param together how many went so soon after it that they may have arrived before it
   * @param news whether no refusal of the same round trip was shown before
   * @param trouble how often calls were turned away of late: buckets keep so much more room
   */
  void refused(CallReadings call, double together, boolean news, double trouble) {
    if (!sitting) {
      sitting = true;
      firstRefusal();
    }
    double all = 0;
    for (int i = 0; i < weight.length; i++) {
      if (call.shown[i] < Gauge.SHUT) {
        double size = families.gauges[i].sizeOf(call.tokens());
        double shown = call.shown[i] + size * bunched(i, together);
        double rate = families.rate[i];
        if (shown <= letIn[i] + (rate > 0 ? 0.02 : Gauge.DUST)) {
          if (news) {
            punish(i, wrong(i, shown, size));
          }
          refused[i] = shown;
          letIn[i] = Math.max(size, shown - size * (rate > 0 ? trouble : 1));
        } else {
          refused[i] = Math.min(refused[i], shown);
        }
      }
      all += weight[i];
    }
    if (news) {
      share(all);
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
  }

  /** Of calls that were sent together, how many count as having been before. */
  private double bunched(int gauge, double together) {
    if (families.rate[gauge] > 0) {
      return Math.max(0, together - Network.TOGETHER * families.rate[gauge]);
    }
    return gauge == families.inFlight ? Math.floor(together * network.stillThere()) : together;
  }

  /** How wrong a gauge was that would have let a call in, from 0. */
  private double wrong(int gauge, double shown, double size) {
    double line = letIn[gauge];
    double rate = families.rate[gauge];
    if (rate > 0) {
      double blur = Math.min(0.02 * rate, shown - size);
      return Math.min(1, (line - shown + 0.3) / (0.3 + blur));
    }
    if (gauge != families.inFlight) {
      // A window does not shrink from a hundred to five.
      return 1 + Math.log(line / shown) / Math.log(2);
    }
    if (shown < 1.5) {
      // Nothing else was in flight.
      return 2;
    }
    double blur = 1 + network.onTheWire(shown);
    double sharp = network.sharp(shown);
    return line - shown <= blur ? sharp : Math.min(1, sharp + (line - shown) / (4 * blur));
  }

  private void share(double all) {
    unpunished *= (1 - SHARED) / all;
    for (int i = 0; i < weight.length; i++) {
      weight[i] = (1 - SHARED) * weight[i] / all + SHARED * families.prior[i];
    }
  }

  /** The provider says how long it stays so; whoever thinks otherwise loses part of the say. */
  void told(double until, double now, double tokens) {
    for (int i = 0; i < weight.length; i++) {
      if (i != families.inFlight) {
        var gauge = families.gauges[i];
        double size = gauge.sizeOf(tokens);
        double opening = gauge.opensAt(now, size, Math.max(size, letIn[i]));
        // Waits are told in whole seconds, rounded up.
        boolean contradicts = opening > until + 0.1 || opening < until - 1.1;
        weight[i] *= contradicts ? 0.4 : 1;
      }
    }
  }

  /** A gauge that is new has watched everything again, and was wrong so often. */
  void seat(int place, double highestLetIn, double lowestRefused, double wrong) {
    letIn[place] = highestLetIn;
    refused[place] = lowestRefused;
    double share = families.prior[place] * (sitting ? unpunished : 1);
    weight[place] = share * Math.pow(LEFT, wrong);
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
  }
}
