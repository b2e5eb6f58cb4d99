package dev.flyball.worlds;

import java.util.ArrayDeque;

/**
 * A limiter as people write them in front of a server: it lets a call in or not, and knows what it
 * would put into its headers. Seconds are the world's.
 */
abstract class HeaderLimiter {
  /**
   * What it would say now.
   *
   * @param remaining how much is left
   * @param reset seconds until what it calls its reset
   */
  record Levels(double remaining, double reset) {}

  final double limit;
  final double span;

  HeaderLimiter(double limit, double span) {
    this.limit = limit;
    this.span = span;
  }

  /** Lets so much in, or nothing of it. */
  abstract boolean admits(double amount, double now);

  abstract Levels levels(double now);

  /** The least seconds in which so many calls of that size are all let in. */
  double least(int calls, double amount) {
    int atOnce = (int) Math.floor(limit / amount);
    return Math.ceil(calls / (double) atOnce - 1) * span;
  }

  /** So much in each window, which begins with its first call, or by the clock. */
  static HeaderLimiter window(double limit, double span, double firstEnd) {
    return new HeaderLimiter(limit, span) {
      private final boolean byClock = firstEnd > 0;
      private double used;
      private double end = firstEnd;

      private void turn(double now) {
        if (byClock) {
          for (; now >= end; used = 0) {
            end += span;
          }
        } else if (now >= end) {
          used = 0;
        }
      }

      @Override
      boolean admits(double amount, double now) {
        turn(now);
        if (!byClock && now >= end) {
          end = now + span;
        }
        boolean fits = used + amount <= limit;
        used += fits ? amount : 0;
        return fits;
      }

      @Override
      Levels levels(double now) {
        turn(now);
        return new Levels(limit - used, Math.max(0, end - now));
      }

      @Override
      double least(int calls, double amount) {
        double windows = super.least(calls, amount);
        return byClock && windows > 0 ? windows - span + firstEnd : windows;
      }
    };
  }

  /** So much in any stretch of that length; the reset is when the oldest leaves it. */
  static HeaderLimiter sliding(double limit, double span) {
    return new HeaderLimiter(limit, span) {
      private final ArrayDeque<double[]> log = new ArrayDeque<>();
      private double used;

      private void forget(double now) {
        while (!log.isEmpty() && log.getFirst()[0] <= now - span) {
          used -= log.removeFirst()[1];
        }
      }

      @Override
      boolean admits(double amount, double now) {
        forget(now);
        boolean fits = used + amount <= limit;
        if (fits) {
          used += amount;
          log.add(new double[] {now, amount});
        }
        return fits;
      }

      @Override
      Levels levels(double now) {
        forget(now);
        return new Levels(limit - used, log.isEmpty() ? 0 : log.getFirst()[0] + span - now);
      }
    };
  }

  /** A bucket of that size that takes so long to fill; the reset is when it is full. */
  static HeaderLimiter bucket(double limit, double span) {
    return bucket(limit, span, limit);
  }

  /** The same, but no more than that is ever there at once, whatever it calls its limit. */
  static HeaderLimiter bucket(double limit, double span, double burst) {
    return new HeaderLimiter(limit, span) {
      private double level = burst;
      private double at;

      private void fill(double now) {
        level = Math.min(burst, level + (now - at) * limit / span);
        at = now;
      }

      @Override
      boolean admits(double amount, double now) {
        fill(now);
        boolean fits = level + 1e-9 >= amount;
        level -= fits ? amount : 0;
        return fits;
      }

      @Override
      Levels levels(double now) {
        fill(now);
        return new Levels(Math.floor(level + 1e-9), (burst - level) * span / limit);
      }

      @Override
      double least(int calls, double amount) {
        return Math.max(0, calls * amount - burst) * span / limit;
      }
    };
  }
}
