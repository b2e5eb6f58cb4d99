package dev.flyball.review.select;

import dev.flyball.review.patch.TextDecoder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jgit.ignore.IgnoreNode;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of the ignore files from a root down to a folder; the deepest that knows a path
 * decides.
 */
final class IgnorePatterns {
  /** The word of the patterns on a path. */
  enum Verdict {
    IGNORED,
    /** By an exclamation mark. */
    WANTED,
    UNKNOWN
  }

  static final IgnorePatterns NONE = new IgnorePatterns(null, "", List.of());

  /** Patterns are matched by trying; with more stars in a name that could take for ever. */
  private static final int STARS = 3;

  private static final int LARGEST = 1 << 20;

  private final @Nullable IgnorePatterns above;
  private final String folder;
  private final List<IgnoreNode> nodes;

  private IgnorePatterns(@Nullable IgnorePatterns above, String folder, List<IgnoreNode> nodes) {
    this.above = above;
    this.folder = folder;
    this.nodes = nodes;
  }

  /** These and those of a file in a folder, whose path is empty or ends in a slash. */
  IgnorePatterns with(String in, byte[] file) {
    var node = new IgnoreNode();
    try {
      node.parse(new ByteArrayInputStream(tame(file).getBytes(StandardCharsets.UTF_8)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    if (node.getRules().isEmpty()) {
      return this;
    }
    if (in.equals(folder)) {
      var both = new ArrayList<IgnoreNode>(List.of(node));
      both.addAll(nodes);
      return new IgnorePatterns(above, folder, both);
    }
    return new IgnorePatterns(this, in, List.of(node));
  }

  private static String tame(byte[] file) {
    var text = TextDecoder.of(file, 0, Math.min(file.length, LARGEST));
    var plain = text.startsWith("\ufeff") ? text.substring(1) : text;
    return plain.lines().filter(IgnorePatterns::isTame).collect(Collectors.joining("\n", "", "\n"));
  }

  private static boolean isTame(String line) {
    int stars = 0;
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == '/') {
        stars = 0;
      } else if (line.charAt(i) == '*' && ++stars > STARS) {
        return false;
      }
    }
    return true;
  }

  Verdict of(String path, boolean isFolder) {
    for (var each = this; each != null; each = each.above) {
      for (var node : each.nodes) {
        var ignored = node.checkIgnored(path.substring(each.folder.length()), isFolder);
        if (ignored != null) {
          return ignored ? Verdict.IGNORED : Verdict.WANTED;
        }
      }
    }
    return Verdict.UNKNOWN;
  }
}
