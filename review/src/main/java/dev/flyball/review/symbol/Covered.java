package dev.flyball.review.symbol;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Which lines tests have run, as coverage reports tell it. Reports name files in their own ways: by
 * package, from some folder on, or by a path on the machine that ran the tests. So a file of the
 * repository is found by the end of its path, and what fits in two ways is not believed.
 */
public final class Covered {
  /** That a report cannot be read: where, and what is wrong. */
  public static final class Damaged extends Exception {
    private static final long serialVersionUID = 1;

    Damaged(String place, String what) {
      super(place + ": " + what);
    }
  }

  /**
   * The lines of one file that could be run, from 1; no other line is in either.
   *
   * @param missed those that no test has run
   */
  public record Lines(BitSet covered, BitSet missed) {
    public Lines {
      covered = (BitSet) covered.clone();
      missed = (BitSet) missed.clone();
      if (covered.intersects(missed)) {
        throw new IllegalArgumentException("a line is covered or missed, but one was both");
      }
      if (covered.isEmpty() && missed.isEmpty()) {
        throw new IllegalArgumentException("some line could be run, but there was none");
      }
    }

    @Override
    public BitSet covered() {
      return (BitSet) covered.clone();
    }

    @Override
    public BitSet missed() {
      return (BitSet) missed.clone();
    }

    /** Of all lines, in whole per cent; 100 only if none is missed. */
    public int share() {
      return percent(1, Math.max(covered.length(), missed.length())).orElseThrow();
    }

    /** Of a range of lines; empty if none of them could be run. */
    public OptionalInt percent(int line, int endLine) {
      int from = Math.max(line, 0);
      int past = Math.min(endLine, Math.max(covered.length(), missed.length())) + 1;
      if (from >= past) {
        return OptionalInt.empty();
      }
      int run = covered.get(from, past).cardinality();
      int all = run + missed.get(from, past).cardinality();
      return all == 0 ? OptionalInt.empty() : OptionalInt.of((int) (100L * run / all));
    }

    /** A line that is covered in one of them is covered. */
    Lines and(Lines other) {
      var run = covered();
      run.or(other.covered);
      var not = missed();
      not.or(other.missed);
      not.andNot(run);
      return new Lines(run, not);
    }
  }

  private final Named files;
  private final List<String> unread;

  Covered(Named files, List<String> unread) {
    this.files = files;
    this.unread = List.copyOf(unread);
  }

  /**
   * What the reports say that are below a folder, at the places where build tools put them; empty
   * if there is none. Of one path, what several say is put together.
   */
  public static Optional<Covered> find(Path root) {
    return new Reports(root).read();
  }

  /**
   * What one report says.
   *
   * @param name of the report, for people
   */
  public static Covered ofJacoco(InputStream in, String name) throws Damaged {
    return of(JacocoReport.read(in, name));
  }

  /**
   * What one report says.
   *
   * @param name of the report, for people
   */
  public static Covered ofLcov(InputStream in, String name) throws Damaged {
    return of(LcovReport.read(in, name));
  }

  /**
   * What one report says.
   *
   * @param name of the report, for people
   */
  public static Covered ofIstanbul(InputStream in, String name) throws Damaged {
    return of(IstanbulReport.read(in, name));
  }

  private static Covered of(Marks marks) {
    var files = new Named();
    marks.lines().forEach((file, lines) -> files.add("", file, lines));
    marks.doubtful().forEach(file -> files.doubt("", file));
    return new Covered(files, List.of());
  }

  /** The lines of a file of the repository; empty if no report, or more than one file, fits. */
  public Optional<Lines> of(String path) {
    return files.fit(path).map(Named.Fit::lines);
  }

  /**
   * The lines of all these files. As all are known, a file of a report that fits more than one of
   * them equally well is nobody's.
   */
  public Map<String, Lines> of(Collection<String> paths) {
    Map<String, List<Named.Fit>> fits =
        paths.stream()
            .distinct()
            .flatMap(path -> files.fit(path).stream())
            .collect(Collectors.groupingBy(Named.Fit::file));
    return fits.values().stream()
        .flatMap(those -> Named.surest(those).stream())
        .collect(Collectors.toUnmodifiableMap(Named.Fit::path, Named.Fit::lines));
  }

  /** Why reports that are there were not read: which, where, and what is wrong. */
  public List<String> unread() {
    return unread;
  }
}
