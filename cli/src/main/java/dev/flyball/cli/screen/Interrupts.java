package dev.flyball.cli.screen;

import dev.flyball.run.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The answer to Ctrl+C and to a polite kill, until it is closed: the first ends a run in order, the
 * second at once. Where signals cannot be heard, the JVM just ends, as it would have.
 */
public final class Interrupts implements AutoCloseable {
  private final List<HeardSignal> heard = new ArrayList<>();

  /**
   * Listens from now on.
   *
   * @param first ends the run in order, however long what is in flight takes
   * @param told the same after a polite kill, whose sender does not wait for ever
   * @param second says a last word before all ends
   */
  public Interrupts(Runnable first, Runnable told, Runnable second) {
    var again = new AtomicBoolean();
    HeardSignal.of("INT", () -> answer(again, first, second)).ifPresent(heard::add);
    HeardSignal.of("TERM", () -> answer(again, told, second)).ifPresent(heard::add);
  }

  private static void answer(AtomicBoolean again, Runnable once, Runnable twice) {
    if (again.getAndSet(true)) {
      twice.run();
      Runtime.getRuntime().halt(ExitCode.ABORTED.code());
    }
    once.run();
  }

  @Override
  public void close() {
    heard.forEach(HeardSignal::close);
  }
}
