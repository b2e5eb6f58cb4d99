package dev.flyball.review.lens;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One question asked of code.
 *
 * @param name as people choose it
 * @param question what is asked, in a sentence
 * @param instructions what to look for, in Markdown
 * @param priority 1 is the last to be dropped
 * @param required whether a review without its answer is incomplete
 * @param share of what a change's budget leaves after its reserve, in hundredths
 * @param context what is shown beside the code
 * @param onlyUnknown whether a symbol is left out if who uses it is certain, because that answers
 *     the question
 * @param reply what an answer looks like
 * @param reach what it is asked of
 */
public record Lens(
    String name,
    String question,
    String instructions,
    int priority,
    boolean required,
    Tier tier,
    int share,
    Set<Context> context,
    boolean onlyUnknown,
    Reply reply,
    Reach reach) {

  /**
   * The code that a lens is asked of.
   *
   * @param usual whether it is asked where nobody chose; else only by its name
   * @param paths patterns of the files that it is asked about; all if there are none
   * @param moduleLevel whether it is asked about code outside of functions and types
   * @param ofTests whether it is asked about tests too, where these are looked at lightly
   */
  public record Reach(
      Set<SubjectKind> subjects,
      boolean usual,
      List<String> paths,
      boolean moduleLevel,
      boolean ofTests) {
    public Reach {
      subjects = Set.copyOf(subjects);
      paths = List.copyOf(paths);
      paths.forEach(Lens::matcher);
    }
  }

  /** The one of the configured models that it is for. */
  public enum Tier {
    FAST,
    DEEP,
    /** For what spans a whole review. */
    LEAD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Facts that are computed here and shown beside the code, so that nobody has to guess it. */
  public enum Context {
    /** Who uses each symbol. */
    USES,
    /** Other code that looks like it. */
    LOOK_ALIKES,
    /** The tests of a file. */
    TESTS
  }

  /** The form of an answer. */
  public enum Reply {
    /** What is wrong, if anything. */
    FINDINGS,
    /** Of each symbol, one word of the lens's own. */
    SYMBOLS
  }

  /** The kind of subject. */
  public enum SubjectKind {
    CHANGE,
    REPOSITORY
  }

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}");

  public Lens {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a lens is named in small letters, digits and dashes, but was '" + name + "'");
    }
    if (question.isBlank() || instructions.isBlank()) {
      throw new IllegalArgumentException(
          "a lens has a question and says what to look for, but " + name + " does not");
    }
    if (priority < 1 || share < 0 || share > 100) {
      throw new IllegalArgumentException(
          "a lens has a priority from 1 and a share from 0 to 100, but %s had %d and %d"
              .formatted(name, priority, share));
    }
    if (reach.subjects.isEmpty()) {
      throw new IllegalArgumentException(
          "a lens is for changes, for repositories or for both, but " + name + " is for neither");
    }
    context = Set.copyOf(context);
  }

  /** Whether it is asked about a file. */
  public boolean looksAt(String path) {
    return reach.paths.isEmpty()
        || reach.paths.stream().anyMatch(pattern -> matches(pattern, path));
  }

  private static boolean matches(String pattern, String path) {
    try {
      return matcher(pattern).matches(Path.of(path));
    } catch (InvalidPathException odd) {
      return false;
    }
  }

  private static PathMatcher matcher(String pattern) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException(
          "a lens's paths are patterns like src/**/*.java, but one was '" + pattern + "'", wrong);
    }
  }
}
