package dev.flyball.planted.cli;

import dev.flyball.planted.run.file.LineJournal;

/** A command that resumes by itself. */
public final class OpensLineJournal {
  LineJournal opened() {
    return LineJournal.open();
  }
}
