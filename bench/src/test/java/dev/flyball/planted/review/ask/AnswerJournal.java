package dev.flyball.planted.review.ask;

/** Innocent. */
public final class AnswerJournal {
  private AnswerJournal() {}

  public static AnswerJournal open() {
    return new AnswerJournal();
  }
}
