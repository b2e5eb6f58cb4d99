package dev.flyball.cli.option;

import dev.flyball.review.run.ReviewState;
import dev.flyball.review.select.FolderTree;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The word to somebody whose folder still holds a history or answers, from when they were kept
 * there: where they are kept now, and how the history is carried over. It is said once for each
 * repository. Nothing there is opened.
 */
public final class MovedState {
  private static final String SAID = "moved";

  private MovedState() {}

  /**
   * What to say, if it was not said before.
   *
   * @param here where the command runs
   */
  public static Optional<String> word(Map<String, String> environment, Path here) {
    var history = here.resolve(".flyball/history.db");
    var answers = FolderTree.top(here).resolve(".flyball/runs");
    boolean hasHistory = Files.isRegularFile(history, LinkOption.NOFOLLOW_LINKS);
    if (!hasHistory && !Files.isDirectory(answers, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      var state = ReviewState.of(environment, here);
      if (Files.exists(state.file(SAID))) {
        return Optional.empty();
      }
      state.made(SAID);
      return Optional.of(words(StateFolder.of(environment).path(), hasHistory));
    } catch (IOException elsewhere) {
      // Whoever needs the state folder says what is wrong with it.
      return Optional.empty();
    }
  }

  private static String words(Path state, boolean hasHistory) {
    return "history and answers are no longer kept in .flyball/ but in "
        + state
        + (hasHistory
            ? "; if .flyball/history.db is yours, `flyball usage --import .flyball/history.db`"
                + " carries it over"
            : "")
        + "; answers are asked for anew. Of .flyball/ only lenses/ and baseline.json are read; the"
        + " rest can be deleted";
  }
}
