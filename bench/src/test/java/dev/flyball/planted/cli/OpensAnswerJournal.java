package dev.flyball.planted.cli;

import dev.flyball.planted.review.ask.AnswerJournal;

/** A command that remembers answers by itself. */
public final class OpensAnswerJournal {
  AnswerJournal opened() {
    return AnswerJournal.open();
  }
}
