package dev.flyball.review.symbol;

import dev.flyball.review.symbol.Covered.Lines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The files that coverage reports name, each in its own way, and which path each may be. */
final class Named {
  private static final int SURE = 10_000;
  private static final int LONGEST = 4096;
  private static final int DEEPEST = 64;

  /**
   * A path and the file of a report that it may be.
   *
   * @param sure the more, the surer
   */
  record Fit(String path, String file, int sure, Lines lines) {}

  private final Map<String, Lines> exact = new HashMap<>();
  private final Map<String, Map<String, Lines>> below = new HashMap<>();
  private final Map<String, Lines> absolute = new HashMap<>();
  private final Map<String, String> ends = new HashMap<>();
  private final Set<String> doubtful = new HashSet<>();

  /** A file that is known by its path in the repository. */
  void add(String path, Lines lines) {
    exact.merge(path, lines, Lines::and);
  }

  /**
   * A file that is known by the end of its path below a folder, which is empty or ends in a slash;
   * or by its path on some machine.
   */
  void add(String folder, String file, Lines lines) {
    if (!file.startsWith("/")) {
      below.computeIfAbsent(folder, all -> new HashMap<>()).merge(file, lines, Lines::and);
    } else {
      absolute.merge(file, lines, Lines::and);
      for (var end : ends(file.substring(1))) {
        if (!file.equals(ends.merge(end, file, (first, second) -> first))) {
          doubtful.add(end);
        }
      }
    }
  }

  /** A file below a folder that a report tells of twice, as of two. */
  void doubt(String folder, String file) {
    doubtful.add(key(folder, file));
  }

  /** What a path may be: what is nearest to it and has most of it. */
  Optional<Fit> fit(String path) {
    if (path.length() > LONGEST) {
      return Optional.empty();
    }
    var known = exact.get(path);
    if (known != null) {
      return Optional.of(new Fit(path, path, SURE, known));
    }
    for (int slash = path.length(); slash >= 0; ) {
      slash = path.lastIndexOf('/', slash - 1);
      var fit = below(path, path.substring(0, slash + 1));
      if (fit.isPresent()) {
        return fit.filter(found -> !doubtful.contains(found.file()));
      }
    }
    return onSomeMachine(path);
  }

  private Optional<Fit> below(String path, String folder) {
    var files = below.getOrDefault(folder, Map.of());
    if (files.isEmpty()) {
      return Optional.empty();
    }
    var whole = path.substring(folder.length());
    for (var end : ends(whole)) {
      var lines = files.get(end);
      if (lines != null) {
        return Optional.of(new Fit(path, key(folder, end), end.equals(whole) ? SURE : 0, lines));
      }
    }
    return Optional.empty();
  }

  private Optional<Fit> onSomeMachine(String path) {
    var file = doubtful.contains(path) ? null : ends.get(path);
    return Optional.ofNullable(file == null ? null : absolute.get(file))
        .map(lines -> new Fit(path, String.valueOf(file), path.length(), lines));
  }

  /** The one that is surer than all others. */
  static Optional<Fit> surest(List<Fit> fits) {
    int sure = fits.stream().mapToInt(Fit::sure).max().orElseThrow();
    var surest = fits.stream().filter(fit -> fit.sure() == sure).toList();
    return surest.size() == 1 ? Optional.of(surest.getFirst()) : Optional.empty();
  }

  private static String key(String folder, String file) {
    return folder + '\n' + file;
  }

  /** The path and what is left of it without its first folders, the longest first. */
  private static List<String> ends(String path) {
    var ends = new ArrayList<String>();
    int slash = path.length();
    while (slash >= 0 && ends.size() < DEEPEST) {
      slash = path.lastIndexOf('/', slash - 1);
      ends.add(path.substring(slash + 1));
    }
    return ends.reversed();
  }
}
