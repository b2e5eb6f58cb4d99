package dev.flyball.review.relation;

import dev.flyball.review.symbol.CodeSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The stretches of code that look alike.
 *
 * <p>Not all are compared with all. The numbers of a sketch are cut into bands, and only stretches
 * that agree on a whole band meet; the bands are as long as they can be while a pair that is just
 * alike enough is missed in less than one of a hundred cases. Where very many agree on a band, they
 * are put in the order of their other numbers, which brings the most alike together, and each meets
 * only the next few. Of its partners each stretch keeps the most alike and, of equals, the nearest.
 * So a hundred thousand copies of one stretch become a chain, and time and memory stay in
 * proportion to the number of stretches.
 */
public final class LookAlikes {
  /** As many pairs as a stretch is part of at most. */
  public static final int PARTNERS = 8;

  private static final int AHEAD = 16;
  private static final double MISSED = 0.01;
  private static final int INDEX_BITS = 28;
  private static final long INDEX = (1L << INDEX_BITS) - 1;

  private static final Comparator<Stretch> ORDER =
      Comparator.comparing(Stretch::path)
          .thenComparingInt(Stretch::line)
          .thenComparingInt(Stretch::endLine)
          .thenComparing(Stretch::name)
          .thenComparing((one, other) -> compare(one.sketch(), other.sketch(), 0));

  /** Some lines of a file, and what they look like. */
  public record Stretch(String path, String name, int line, int endLine, CodeSketch sketch) {
    public Stretch {
      if (line < 1 || endLine < line) {
        throw new IllegalArgumentException(
            "a stretch goes from a line to a later one, but it was %d to %d"
                .formatted(line, endLine));
      }
    }

    private boolean contains(Stretch other) {
      return path.equals(other.path) && line <= other.line && other.endLine <= endLine;
    }
  }

  /**
   * Two of them.
   *
   * @param one the first by path and line
   * @param alike from 0 to 1
   */
  public record Pair(Stretch one, Stretch other, double alike) {}

  private final List<Stretch> stretches;
  private final CodeSketch[] sketches;

  /** In how many numbers two may differ. */
  private final int most;

  /**
   * For each stretch its best pairs, best first. A pair is one number, and the less the better: how
   * much it is not alike, how far apart the two are, and where the first of them is.
   */
  private final long[] best;

  private LookAlikes(List<Stretch> stretches, double atLeast) {
    this.stretches = stretches;
    this.sketches = stretches.stream().map(Stretch::sketch).toArray(CodeSketch[]::new);
    this.most = (int) Math.floor(CodeSketch.NUMBERS * (1 - atLeast) + 1e-9);
    this.best = new long[stretches.size() * PARTNERS];
    Arrays.fill(best, Long.MAX_VALUE);
  }

  /**
   * Those that are at least so much alike, the most alike first. Of two stretches of which one
   * contains the other there is no pair.
   */
  public static List<Pair> of(List<Stretch> stretches, double atLeast) {
    if (!(atLeast > 0 && atLeast <= 1)) {
      throw new IllegalArgumentException(
          "what looks alike is so by more than 0 and up to 1, but it was " + atLeast);
    }
    var all = new LookAlikes(stretches.stream().sorted(ORDER).toList(), atLeast);
    int rows = rows(atLeast);
    for (int from = 0; from + rows <= CodeSketch.NUMBERS; from += rows) {
      all.meet(from, rows);
    }
    return all.pairs();
  }

  private static int rows(double atLeast) {
    int rows = 1;
    while (rows < CodeSketch.NUMBERS && missed(atLeast, rows + 1) < MISSED) {
      rows++;
    }
    return rows;
  }

  private static double missed(double alike, int rows) {
    int bands = CodeSketch.NUMBERS / rows;
    return Math.pow(1 - Math.pow(alike, rows), bands);
  }

  private void meet(int from, int rows) {
    var keys = new long[stretches.size()];
    for (int i = 0; i < keys.length; i++) {
      int band = 0;
      for (int row = from; row < from + rows; row++) {
        band = 31 * band + sketches[i].number(row);
      }
      keys[i] = (long) band << Integer.SIZE | i;
    }
    Arrays.sort(keys);
    int past = 0;
    for (int first = 0; first < keys.length; first = past) {
      past = first + 1;
      while (past < keys.length && keys[past] >> Integer.SIZE == keys[first] >> Integer.SIZE) {
        past++;
      }
      if (past - first > 1) {
        compare(Arrays.stream(keys, first, past), past - first, from);
      }
    }
  }

  private void compare(LongStream keys, int size, int from) {
    var indices = keys.mapToObj(key -> (int) key);
    var members =
        (size <= AHEAD + 1
                ? indices
                : indices.sorted((one, other) -> compare(sketches[one], sketches[other], from)))
            .mapToInt(index -> index)
            .toArray();
    for (int i = 0; i < members.length; i++) {
      for (int j = i + 1; j < members.length && j <= i + AHEAD; j++) {
        compare(Math.min(members[i], members[j]), Math.max(members[i], members[j]));
      }
    }
  }

  private void compare(int one, int other) {
    if (!isWanted(one, pair(0, one, other)) && !isWanted(other, pair(0, one, other))) {
      return;
    }
    long unlike = sketches[one].unlike(sketches[other], most);
    if (unlike <= most
        && !stretches.get(one).contains(stretches.get(other))
        && !stretches.get(other).contains(stretches.get(one))) {
      long pair = pair(unlike, one, other);
      note(one, pair);
      note(other, pair);
    }
  }

  private static long pair(long unlike, int one, int other) {
    return (unlike << INDEX_BITS | (other - one)) << INDEX_BITS | one;
  }

  private boolean isWanted(int stretch, long pair) {
    return pair < best[(stretch + 1) * PARTNERS - 1];
  }

  private void note(int stretch, long pair) {
    int first = stretch * PARTNERS;
    int past = first + PARTNERS;
    int at = -1 - Arrays.binarySearch(best, first, past, pair);
    if (at >= 0 && at < past) {
      System.arraycopy(best, at, best, at + 1, past - at - 1);
      best[at] = pair;
    }
  }

  private List<Pair> pairs() {
    var partners = new int[stretches.size()];
    var taken = new ArrayList<Pair>();
    for (long pair : Arrays.stream(best).sorted().distinct().toArray()) {
      if (pair != Long.MAX_VALUE
          && partners[one(pair)] < PARTNERS
          && partners[other(pair)] < PARTNERS) {
        partners[one(pair)]++;
        partners[other(pair)]++;
        var one = stretches.get(one(pair));
        var other = stretches.get(other(pair));
        taken.add(new Pair(one, other, one.sketch().alike(other.sketch())));
      }
    }
    taken.sort(
        Comparator.comparingDouble(Pair::alike)
            .reversed()
            .thenComparing(Pair::one, ORDER)
            .thenComparing(Pair::other, ORDER));
    return List.copyOf(taken);
  }

  private static int one(long pair) {
    return (int) (pair & INDEX);
  }

  private static int other(long pair) {
    return one(pair) + (int) (pair >> INDEX_BITS & INDEX);
  }

  private static int compare(CodeSketch one, CodeSketch other, int from) {
    for (int i = 0; i < CodeSketch.NUMBERS; i++) {
      int at = (from + i) % CodeSketch.NUMBERS;
      int order = Integer.compare(one.number(at), other.number(at));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
