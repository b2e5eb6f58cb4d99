package dev.flyball.review.relation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The place of a file, whether it is source or test: the folders of its path without those that
 * only say which of the two, so that a test and what it tests are at the same spot.
 *
 * @param folders in lower case
 * @param pack where in the folders those begin that are a package; their number where none is known
 */
record TestPath(String path, String stem, List<String> folders, int pack, FolderRole role) {
  /** The word of the folders on everything in them. */
  enum FolderRole {
    TESTS,
    NO_TESTS,
    NOTHING
  }

  private static final Set<String> TESTS =
      Set.of("test", "tests", "__tests__", "spec", "specs", "e2e", "unittest", "unittests");
  private static final Set<String> KINDS =
      Set.of(
          "unit",
          "integration",
          "functional",
          "acceptance",
          "system",
          "smoke",
          "regression",
          "component",
          "contract",
          "e2e");
  private static final Set<String> LAYOUT =
      Set.of("src", "source", "sources", "main", "lib", "include", "inc");
  private static final Set<String> ROOTS = Set.of("java", "kotlin", "groovy", "scala");

  TestPath {
    folders = List.copyOf(folders);
  }

  static TestPath of(String path) {
    List<String> folders = new ArrayList<>();
    int pack = -1;
    boolean main = false;
    boolean tests = false;
    var above = "";
    int from = 0;
    for (int to; (to = path.indexOf('/', from)) >= 0; from = to + 1) {
      var folder = path.substring(from, to);
      var plain = folder.toLowerCase(Locale.ROOT);
      var tested = main ? plain : tested(folder, plain, above);
      main |= above.equals("src") && plain.equals("main");
      tests |= !tested.equals(plain);
      if (pack < 0 && ROOTS.contains(plain)) {
        pack = folders.size();
      } else if (!tested.isEmpty()
          && !LAYOUT.contains(tested)
          && !(tests && KINDS.contains(tested))) {
        folders.add(tested);
      }
      above = plain;
    }
    var name = path.substring(from);
    int dot = name.lastIndexOf('.');
    return new TestPath(
        path,
        dot < 0 ? name : name.substring(0, dot),
        folders,
        pack < 0 ? folders.size() : pack,
        tests ? FolderRole.TESTS : main ? FolderRole.NO_TESTS : FolderRole.NOTHING);
  }

  /** What a folder of tests is about: nothing, itself if it is no such folder, or a part of it. */
  private static String tested(String folder, String plain, String above) {
    if (TESTS.contains(plain) || (above.equals("src") && sourceSet(folder))) {
      return "";
    }
    int last = plain.length();
    while (last > 0 && Character.isLetter(plain.charAt(last - 1))) {
      last--;
    }
    var rest = plain;
    if (last > 0 && isTests(plain.substring(last), plain.charAt(last - 1), plain, last - 1)) {
      rest = plain.substring(0, last - 1);
    } else if (folder.length() > 5 && folder.endsWith("Tests")) {
      rest = plain.substring(0, plain.length() - 5);
    }
    return KINDS.contains(rest) && rest.length() < plain.length() ? "" : rest;
  }

  /** As {@code integrationTest} and {@code testFixtures}. */
  private static boolean sourceSet(String folder) {
    return folder.endsWith("Test") || folder.equals("testFixtures");
  }

  private static boolean isTests(String word, char sign, String plain, int before) {
    return word.equals("tests")
        || (sign == '.' && (word.equals("unittests") || word.equals("integrationtests")))
        || (word.equals("test") && (sign == '.' || KINDS.contains(plain.substring(0, before))));
  }

  boolean isAmongTests() {
    return role == FolderRole.TESTS;
  }

  /** The folder as it is written, without the names that only tell source and tests apart. */
  String folderOfBoth() {
    var kept = new StringBuilder();
    var parts = path.split("/", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      var plain = parts[i].toLowerCase(Locale.ROOT);
      if (!plain.equals("main") && !TESTS.contains(plain)) {
        kept.append(parts[i]).append('/');
      }
    }
    return kept.toString();
  }

  /** The same file, as what its folder is named after. */
  TestPath asFolder() {
    var above = folders.subList(0, folders.size() - 1);
    return new TestPath(path, folders.getLast(), above, Math.min(pack, above.size()), role);
  }

  String extension() {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot + 1) : "";
  }

  List<String> packageFolders() {
    return folders.subList(pack, folders.size());
  }

  /** As many folders as both paths have in common from the start on. */
  int common(TestPath other) {
    int common = 0;
    for (int i = 0; i < path.length() && i < other.path.length(); i++) {
      if (path.charAt(i) != other.path.charAt(i)) {
        break;
      }
      if (path.charAt(i) == '/') {
        common++;
      }
    }
    return common;
  }
}
