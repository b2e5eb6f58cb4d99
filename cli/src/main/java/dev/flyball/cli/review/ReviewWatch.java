package dev.flyball.cli.review;

import dev.flyball.cli.option.ProgressOptions.Shown;
import dev.flyball.cli.screen.ReviewScreen;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.run.ReviewListener;
import dev.flyball.review.run.ReviewProgress;
import dev.flyball.review.run.ReviewProgressFile;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/** The way in which a review that goes on is shown, and what becomes of a Ctrl+C. */
public final class ReviewWatch implements ReviewListener {
  private static final int LOOKS_A_SECOND = 5;
  private static final int PLAIN_EVERY = 10 * LOOKS_A_SECOND;
  private static final String STOPPING = "stopping, waiting for answers; Ctrl+C again aborts";

  private final String title;
  private final ReviewSetup setup;
  private final OptionalLong budget;
  private final Shown shown;
  private final Terminal terminal;
  private final PrintWriter err;
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private int looks;

  public ReviewWatch(
      String title,
      ReviewSetup setup,
      OptionalLong budget,
      Shown shown,
      Terminal terminal,
      PrintWriter err) {
    this.title = title;
    this.setup = setup;
    this.budget = budget;
    this.shown = shown;
    this.terminal = terminal;
    this.err = err;
  }

  /** Says that it ends in order, and lets it. */
  public void drain(Runnable run) {
    interrupted.set(true);
    if (shown != Shown.BAR) {
      err.println(STOPPING);
    }
    run.run();
  }

  @Override
  public void look(ReviewProgress progress, SchedulerSnapshot lanes, Optional<String> trouble) {
    var screen = new ReviewScreen(title, progress, budget, setup::lanes, terminal);
    switch (shown) {
      case BAR ->
          terminal.draw(screen.picture(lanes, interrupted.get() ? Optional.of(STOPPING) : trouble));
      case PLAIN -> {
        if (looks % PLAIN_EVERY == PLAIN_EVERY - 1) {
          err.println(screen.line());
        }
      }
      case JSON -> {
        if (looks % LOOKS_A_SECOND == 0) {
          err.println(AsciiJson.compact(ReviewProgressFile.counts(progress)));
        }
      }
      case NONE -> {}
    }
    looks++;
  }

  /** Takes the picture away. */
  public void close() {
    if (shown == Shown.BAR) {
      terminal.draw(List.of());
    }
  }
}
