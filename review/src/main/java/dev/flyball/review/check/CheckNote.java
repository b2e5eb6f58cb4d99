package dev.flyball.review.check;

/** A note that a file was not checked as it should have been, and why. */
public sealed interface CheckNote {
  String file();

  String reason();

  /** It could not be read as the language that its name says. */
  record Unparsed(String file, String reason) implements CheckNote {}

  /** It was read, and a rule broke on it; the others did not. */
  record Unfinished(String file, String reason) implements CheckNote {}

  /** Its code was not compared with other code. */
  record NotCompared(String file, String reason) implements CheckNote {}
}
