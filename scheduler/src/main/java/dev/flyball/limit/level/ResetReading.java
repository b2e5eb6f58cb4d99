package dev.flyball.limit.level;

/**
 * What the resets of one header give away, reply by reply: whether its limit comes back all at once
 * or evenly, when, and over which period.
 *
 * <h2>Two shapes</h2>
 *
 * Some limits are <em>windows</em>: so much until a moment, then everything again. Others
 * <em>refill</em>: each call moves the moment at which they are full further away. Both write
 * "limit, remaining, reset", so one reply cannot tell them apart, but a few can. The moment of the
 * reset is now + what was told. Where it stays while what remains falls, by more than a limit that
 * refills could lose and still be full at that moment, it is a window. Where it moves, it is none.
 * Until that is known the shape is <em>open</em>, and nothing is credited but what was sighted.
 *
 * <h2>When it ends</h2>
 *
 * What was told is rounded up, to a second or less, and nobody says as of when: as the call came
 * in, or as the headers were written, which may be seconds later. Each of the two is a {@link
 * Clock}: an end that all replies of one window agree on, between two moments that draw together.
 * Where they cannot agree, it is the other clock, or the end has moved. While both are possible,
 * one call goes at the earlier end, and finds out; then the others go at the later one.
 *
 * <h2>The period</h2>
 *
 * When the reset jumps up while what remains jumps to about the limit, a window has begun anew, and
 * the longest time that was ever told to its end is the period. A time told in whole seconds may be
 * a second or two too long: 61 is a minute.
 */
final class ResetReading {
  /** The ways in which a limit comes back. */
  enum Shape {
    OPEN,
    WINDOW,
    REFILL
  }

  /** The end of a window, if resets are told as of one moment in the life of a call. */
  private static final class Clock {
    private boolean possible = true;
    private double soonest;
    private double latest;

    boolean fits(double end, double resolution, double slack) {
      return possible && end - resolution <= latest + slack && end >= soonest - slack;
    }

    void narrow(double end, double resolution) {
      latest = Math.max(soonest, Math.min(latest, end));
      soonest = Math.min(latest, Math.max(soonest, end - resolution));
    }

    void set(double end, double resolution) {
      soonest = end - resolution;
      latest = end;
    }

    void move(double by) {
      soonest += by;
      latest += by;
    }
  }

  /** What timers and networks may do to a moment. */
  private static final double JITTER = 50e6;

  private static final double WAY = 5e6;
  private static final double DRIFT = 0.002;
  private static final double TOLD_FINELY = 1e6;
  private static final double TEN_SECONDS = 10e9;

  private Shape shape = Shape.OPEN;

  /** Whether any reset was told. */
  private boolean told;

  private boolean stated;

  /** Whether the end is only reckoned from that of the window before. */
  private boolean predicted;

  /** Whether it was said as of when resets are told. */
  private boolean known;

  private final Clock asSent = new Clock();
  private final Clock asReceived = new Clock();

  /** How much later than told it ends: those who cut off what others round up tell too little. */
  private double lag;

  private double resolution;

  /** What remained when this end was first told, and when it was told last. */
  private double seenFirst;

  private double seenLast;
  private double leftLast;
  private double sentLast;

  /** Where no reset is told: whether and when all was seen to be there. */
  private boolean began;

  private double beganAt;

  /** Whether the window was found to begin anew when it should. */
  private boolean confirmed;

  /** The longest time that was told, and how it was rounded. */
  private double longest;

  private double coarse;

  /** The period that was learned; 0 if none was. */
  private double period;

  Shape shape() {
    return shape;
  }

  boolean window() {
    return shape == Shape.WINDOW;
  }

  /**
   * A call was turned away that shows how it comes back: some of it long before all of it, so it
   * refills; or nothing of what should have, so it is a window.
   */
  void comesBack(boolean byParts) {
    if (shape == Shape.OPEN && (byParts || told)) {
      shape = byParts ? Shape.REFILL : Shape.WINDOW;
    }
  }

  /** Whether what comes back may be reckoned with before it is seen. */
  boolean refills() {
    return shape == Shape.REFILL || !told || (shape == Shape.OPEN && stated);
  }

  /** Over which period it is, is said: until it is known better, it refills over that. */
  void stated(boolean said) {
    stated = said;
  }

  boolean confirmed() {
    return confirmed;
  }

  /** When the window ends, or whatever it is has come back. */
  double end() {
    boolean both = asSent.possible && asReceived.possible;
    double sent = asSent.possible ? asSent.latest : asReceived.latest;
    double received = asReceived.possible ? asReceived.latest : asSent.latest;
    double way = !window() ? 0 : known ? WAY : JITTER;
    return way + lag + (both && !confirmed ? Math.min(sent, received) : Math.max(sent, received));
  }

  /** The longest time to a reset that was told. */
  double longest() {
    return longest;
  }

  /** The period that replies gave away; 0 if they have not. */
  double period() {
    return period;
  }

  /** To what a time is rounded: whole seconds are told by those who round. */
  static double resolution(double left) {
    return left % 1e9 == 0 ? 1e9 : 1e6;
  }

  /** It is known as of when resets are told: as a call comes in, or as its headers are written. */
  void looks(boolean atAdmission) {
    asSent.possible = atAdmission;
    asReceived.possible = !atAdmission;
    known = true;
  }

  /**
   * A reply told a reset.
   *
   * @param limit what there is in all; the most that was seen, where that was never told
   * @param seen what remained
   * @param left how long to the reset
   * @param each how long one unit takes to come back, if it refills
   */
  void read(double limit, double seen, double left, double sentAt, double now, double each) {
    resolution = resolution(left);
    double slack = JITTER + DRIFT * left;
    boolean sent = asSent.fits(sentAt + left, resolution, slack);
    boolean received = asReceived.fits(now + left, resolution, slack);
    boolean jumped = seen - seenLast > 0.5 * (limit - seenLast) && 2 * left >= longest;
    longest = Math.max(longest, left);
    coarse = longest == left ? resolution : coarse;
    boolean first = !told || predicted;
    predicted = false;
    if (!first && (sent || received)) {
      asSent.possible = sent;
      asReceived.possible = received;
      asSent.narrow(sentAt + left, resolution);
      asReceived.narrow(now + left, resolution);
      double blur = 2 * resolution + slack;
      seenFirst = Math.max(seenFirst, seen);
      boolean stays = seenFirst - seen >= 2 && (seenFirst - seen) * each > 2 * blur;
      shape = stays && left > blur ? Shape.WINDOW : shape;
    } else {
      if (!first) {
        moved(now + left > end() + slack, jumped, sentAt - slack);
      }
      confirmed &= !first || seen > 0;
      asSent.set(sentAt + left, resolution);
      asReceived.set(now + left, resolution);
      seenFirst = seen;
    }
    seenLast = seen;
    leftLast = left;
    sentLast = sentAt;
    told = true;
  }

  /**
   * A reply told the reset as it was when an earlier call came in than that of the last one. What
   * remained then is past, but a window has one end for both: where it was to end later than the
   * last one was sent, and not when that one says, it is none.
   */
  void readEarlier(double left, double sentAt, double now) {
    double resolution = resolution(left);
    double slack = JITTER + DRIFT * left;
    boolean same =
        asSent.fits(sentAt + left, resolution, slack)
            || asReceived.fits(now + left, resolution, slack);
    boolean open = shape == Shape.OPEN && told && !predicted;
    if (open && !same && sentAt + left - resolution > sentLast + slack) {
      shape = Shape.REFILL;
    }
  }

  /**
   * A reply told no reset. Where all is there again after most of it was used, it is a window all
   * the same: it lasts as long as from the first call in it to that one, or less.
   */
  void readUntold(double limit, double seen, double sentAt) {
    boolean anew = seen - seenLast > 0.5 * (limit - seenLast);
    if (began && anew && limit - seenLast > 0.5 * limit) {
      double length = sentAt - beganAt;
      shape = Shape.WINDOW;
      period = period == 0 ? length : Math.min(length, period);
      confirmed = false;
      told = true;
      asSent.possible = true;
      asReceived.possible = false;
      asSent.set(sentAt + period, 0);
    }
    beganAt = !began || anew ? sentAt : beganAt;
    began = true;
    seenLast = seen;
  }

  private void moved(boolean later, boolean jumped, double since) {
    if (later && jumped) {
      shape = Shape.WINDOW;
      confirmed = true;
      period = learned();
      // Who was let in well before the later end was not held by it.
      if (asSent.possible && asReceived.soonest - resolution > since) {
        asReceived.possible = false;
      }
    } else {
      shape = later ? Shape.REFILL : shape;
      confirmed = false;
    }
  }

  /** The longest time that was told, less what its rounding may have added. */
  private double learned() {
    double tens = Math.floor(longest / TEN_SECONDS) * TEN_SECONDS;
    boolean rounded = coarse >= 1e9 && tens > 0 && longest - tens <= 2 * coarse;
    return rounded ? tens : longest;
  }

  /** A call that went when the window should have begun anew was turned away. */
  void early(double sentAt) {
    boolean cutOff = resolution > TOLD_FINELY && seenLast <= 0 && leftLast == 0;
    lag = cutOff ? resolution : lag;
    confirmed = false;
    asSent.latest = Math.max(asSent.latest, sentAt);
    asReceived.latest = Math.max(asReceived.latest, sentAt);
  }

  /** The window has ended; the next one ends a period later. */
  void turn(double now, double span) {
    predicted = true;
    double past = span * Math.ceil((now - end() + 1) / span);
    asSent.move(past);
    asReceived.move(past);
  }
}
