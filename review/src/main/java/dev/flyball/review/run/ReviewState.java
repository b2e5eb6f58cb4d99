package dev.flyball.review.run;

import dev.flyball.llm.Sha256;
import dev.flyball.review.select.FolderTree;
import dev.flyball.review.select.Subject;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;

/**
 * The state of one repository's reviews: answers, progress and digests. It is found by the real
 * path of the repository's root, and by nothing that the repository says.
 */
public final class ReviewState {
  private static final int BYTES = 16;

  private ReviewState() {}

  /**
   * Of the repository that a folder is in, or of the folder itself.
   *
   * @throws IOException if the user's state folder cannot be used, or is in the repository
   */
  public static StateFolder of(Map<String, String> environment, Path folder) throws IOException {
    var state = StateFolder.of(environment);
    var root = FolderTree.top(folder.toRealPath());
    state.outside(root);
    return state.folder("reviews").folder(print(root.toString()));
  }

  /** Of what a subject is in, be that a folder or somewhere else. */
  public static StateFolder of(Map<String, String> environment, Subject subject)
      throws IOException {
    return subject.address().isPresent()
        ? StateFolder.of(environment).folder("reviews").folder(print(subject.address().get()))
        : of(environment, subject.root());
  }

  /** Stands for a text, as the name of a folder. */
  static String print(String text) {
    var hash = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, BYTES);
  }
}
