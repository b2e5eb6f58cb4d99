package dev.flyball.review.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Cuts a list of things into runs that fit, in such a way that little of it changes when one of the
 * things does.
 *
 * <p>A list that does not fit is cut in two, and each half again. Where it is cut depends on the
 * names alone and not on sizes: somewhere in its middle half, at the place where the names on both
 * sides have least in common, by their folders, and among equals by their hash. So a thing that
 * grows or shrinks moves no cut. It can only make its own run too large, which is then cut in two,
 * or small enough to be one with its neighbour. Filling runs from the left to the brim would make
 * fewer of them, but every one after the thing would be another.
 */
final class Halving {
  private Halving() {}

  /** In order; a thing that does not fit alone is a run of its own. */
  static <T> List<List<T>> of(List<T> things, Function<T, String> name, Predicate<List<T>> fits) {
    var runs = new ArrayList<List<T>>();
    if (!things.isEmpty()) {
      cut(things, name, fits, runs);
    }
    return runs;
  }

  private static <T> void cut(
      List<T> things, Function<T, String> name, Predicate<List<T>> fits, List<List<T>> runs) {
    if (things.size() == 1 || fits.test(things)) {
      runs.add(List.copyOf(things));
      return;
    }
    int at = place(things, name);
    cut(things.subList(0, at), name, fits, runs);
    cut(things.subList(at, things.size()), name, fits, runs);
  }

  private static <T> int place(List<T> things, Function<T, String> name) {
    int size = things.size();
    int first = Math.max(1, size / 4);
    int last = Math.max(first, size - size / 4 - 1);
    int best = first;
    long least = Long.MAX_VALUE;
    for (int i = first; i <= last; i++) {
      var after = name.apply(things.get(i));
      long common = common(name.apply(things.get(i - 1)), after);
      long weight = (common << 32) | (spread(after) & 0xFFFFFFFFL);
      if (weight < least) {
        least = weight;
        best = i;
      }
    }
    return best;
  }

  /** How many folders both are in. */
  private static int common(String one, String other) {
    int folders = 0;
    for (int i = 0; i < Math.min(one.length(), other.length()); i++) {
      if (one.charAt(i) != other.charAt(i)) {
        break;
      }
      if (one.charAt(i) == '/') {
        folders++;
      }
    }
    return folders;
  }

  private static int spread(String text) {
    int mixed = text.hashCode() * 0x9E3779B1;
    return mixed ^ (mixed >>> 15);
  }
}
