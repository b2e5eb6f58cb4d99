package dev.flyball.cli;

import dev.flyball.cli.demo.DemoAccount;
import dev.flyball.cli.demo.DemoPool;
import dev.flyball.cli.demo.DemoScheduler;
import dev.flyball.cli.demo.DemoScreen;
import dev.flyball.cli.demo.DemoScreen.Side;
import dev.flyball.cli.demo.DemoTrack;
import dev.flyball.cli.help.Examples;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.llm.HttpConnections;
import dev.flyball.llm.Timeouts;
import dev.flyball.run.ExitCode;
import dev.flyball.scheduler.Time;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code flyball demo}: the same calls by a plain pool and by Flyball, at the same time. */
@Command(
    name = "demo",
    description = {
      "Sends the same 120 calls to two simulated accounts at the same time: through a thread pool"
          + " with exponential backoff, and through Flyball.",
      "Takes less than a minute. No key, no network, no cost."
    },
    footer = {"", "Exit: 0, or 130 after Ctrl+C."})
@Examples({"flyball demo"})
final class Demo implements Callable<Integer> {
  private static final int TICK = 100;
  private static final int TICKS_A_LINE = 50;
  private static final int FASTEST = 50;

  @Spec private CommandSpec spec;
  @ParentCommand private Main main;

  /** For tests. */
  @Option(names = "--speed", hidden = true, defaultValue = "1")
  private int speed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (speed < 1 || speed > FASTEST) {
      throw new ParameterException(
          spec.commandLine(), "--speed: must be from 1 to %d, not %d".formatted(FASTEST, speed));
    }
    var out = spec.commandLine().getOut();
    var config = main.config();
    var account = new DemoAccount(speed);
    var time = Time.system();
    var terminal = Terminal.of(out, config.environment());
    try (var http = HttpConnections.of(Timeouts.USUAL, time::wall, config.environment());
        var one = new DemoTrack(account, http, time);
        var other = new DemoTrack(account, http, time);
        var scheduler = new DemoScheduler(other, config.files().catalogue())) {
      var screen = new DemoScreen(terminal, account);
      if (!terminal.isLive()) {
        screen.title().forEach(out::println);
      }
      new Race(new DemoPool(account, one), one, scheduler, other).run(screen, terminal, out);
    }
    return ExitCode.DONE.code();
  }

  /** Both sides, and those who watch. */
  private record Race(DemoPool pool, DemoTrack one, DemoScheduler scheduler, DemoTrack other) {
    void run(DemoScreen screen, Terminal terminal, PrintWriter out) throws InterruptedException {
      var running = new CountDownLatch(2);
      start("pool", pool::run, running);
      start("flyball", scheduler::run, running);
      boolean live = terminal.isLive();
      int ticks = 0;
      for (boolean over = false; !over; ticks++) {
        over = running.await(TICK, TimeUnit.MILLISECONDS);
        if (live) {
          terminal.draw(screen.picture(first(), pool.pausing(), second(), scheduler.lane()));
        } else if (ticks % TICKS_A_LINE == TICKS_A_LINE - 1) {
          out.println(screen.line(first(), second()));
        }
      }
      terminal.keep();
      screen.end(first(), second()).forEach(out::println);
      out.flush();
    }

    private static void start(String name, Runnable side, CountDownLatch running) {
      Thread.ofVirtual()
          .name(name)
          .start(
              () -> {
                try {
                  side.run();
                } finally {
                  running.countDown();
                }
              });
    }

    private Side first() {
      return new Side(one.standing(), pool.lost());
    }

    private Side second() {
      return new Side(other.standing(), scheduler.lost());
    }
  }
}
