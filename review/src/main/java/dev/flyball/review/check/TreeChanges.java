package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.select.Subject;
import dev.flyball.review.select.TreeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a change does to a tree beside the lines of its files: links and submodules, whose content
 * is somewhere else, and the folder that Flyball's own settings are in.
 */
final class TreeChanges {
  private static final String FOLDER = ".flyball";
  private static final List<String> SETTINGS =
      List.of(FOLDER + "/lenses/", FOLDER + "/baseline.json");
  private static final String SOURCE = "change";
  private static final double SURE = 1;

  private TreeChanges() {}

  static List<Claim> in(Subject subject) {
    var claims = new ArrayList<Claim>();
    subject.pointers().forEach(pointer -> claims.add(pointer(pointer)));
    if (subject.isChange()) {
      Stream.concat(
              subject.items().stream().map(Subject.Item::path),
              subject.skipped().stream().map(TreeEntry.Skipped::path))
          .filter(TreeChanges::isOurs)
          .forEach(path -> claims.add(own(path)));
    }
    return claims;
  }

  private static Claim pointer(FileChange pointer) {
    var now = target(pointer, HunkLine.Kind.ADDED);
    var before = target(pointer, HunkLine.Kind.DELETED);
    var message =
        "%s points to %s%s."
            .formatted(
                pointer.path(),
                now.isEmpty() ? "nothing any more" : now,
                before.isEmpty() ? "" : ", and before to " + before);
    if (pointer.submodule()) {
      return claim(Rulebook.SUBMODULE, pointer.path(), message, now);
    }
    var link = claim(Rulebook.LINK, pointer.path(), message, now);
    return staysInside(pointer.path(), now) ? link.as(Severity.MINOR) : link;
  }

  /** What the one line of a link or a submodule says, on one side. */
  private static String target(FileChange pointer, HunkLine.Kind side) {
    return pointer.hunks().stream()
        .flatMap(hunk -> hunk.lines().stream())
        .filter(line -> line.kind() == side)
        .map(line -> line.text().replaceFirst("^Subproject commit ", "commit "))
        .reduce((first, last) -> last)
        .orElse("");
  }

  private static boolean staysInside(String path, String target) {
    int depth = path.split("/", -1).length - 1;
    for (var part : target.split("/", -1)) {
      depth += part.equals("..") ? -1 : part.isEmpty() || part.equals(".") ? 0 : 1;
      if (depth < 0 || part.equalsIgnoreCase(".git")) {
        return false;
      }
    }
    return !target.startsWith("/") && !target.contains("\\") && !target.contains(":");
  }

  private static boolean isOurs(String path) {
    var lower = path.toLowerCase(Locale.ROOT);
    return lower.equals(FOLDER) || lower.startsWith(FOLDER + "/");
  }

  private static Claim own(String path) {
    var claim = claim(Rulebook.OWN_FOLDER, path, path + " is part of this change.", path);
    return SETTINGS.stream().anyMatch(path::startsWith) ? claim.as(Severity.MINOR) : claim;
  }

  private static Claim claim(String rule, String path, String message, String evidence) {
    return Rulebook.claim(rule, Place.ofFile(path), message, evidence, SOURCE, SURE);
  }
}
