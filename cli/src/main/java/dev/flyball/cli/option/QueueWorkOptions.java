package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.fleet.queue.QueueRules;
import dev.flyball.fleet.queue.QueueWorkers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how a queue is worked on. */
public final class QueueWorkOptions {
  private static final int MOST = 1_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.USER)
  @Option(
      names = "--workers",
      paramLabel = "auto|N",
      defaultValue = "auto",
      description =
          "How many at a time; auto asks Little's law, and what the limits let in. Default:"
              + " ${DEFAULT-VALUE}")
  private String workers;

  @SetBy(Who.FLAG)
  @Option(names = "--until-empty", description = "Exit when nothing is left to do.")
  private boolean untilEmpty;

  @SetBy(Who.USER)
  @Option(
      names = "--lease",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationFlags.class,
      description =
          "After this long without a sign of life, another worker takes over."
              + " Default: ${DEFAULT-VALUE}")
  private Duration lease;

  @SetBy(Who.USER)
  @Option(
      names = "--tries",
      paramLabel = "N",
      defaultValue = "5",
      description = "Attempts before an entry becomes a dead letter. Default: ${DEFAULT-VALUE}")
  private int tries;

  @SetBy(Who.USER)
  @Option(
      names = "--allow",
      paramLabel = "FOLDER",
      description =
          "A folder that may be read and written besides the one that this runs in; may be"
              + " repeated.")
  private List<Path> allowed = new ArrayList<>();

  /** The rules, of which adding has its own part. */
  public QueueRules rules(int bound) {
    try {
      return QueueRules.USUAL.most(bound).lease(lease).tries(tries);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(
          spec.commandLine(), "--lease, --tries: " + wrong.getMessage(), wrong);
    }
  }

  /**
   * How they work.
   *
   * @param name of this process, for people
   */
  public QueueWorkers.Settings settings(String name) {
    return new QueueWorkers.Settings(name, count(), MOST, untilEmpty);
  }

  private OptionalInt count() {
    if (workers.equals("auto")) {
      return OptionalInt.empty();
    }
    if (!workers.matches("[0-9]{1,4}")
        || Integer.parseInt(workers) < 1
        || Integer.parseInt(workers) > MOST) {
      throw new ParameterException(
          spec.commandLine(),
          "--workers: must be auto or 1 to %,d, not %s".formatted(MOST, workers));
    }
    return OptionalInt.of(Integer.parseInt(workers));
  }

  /** The folders that may be read and written. */
  public List<Path> roots(Path here) {
    var roots = new ArrayList<Path>();
    roots.add(here.toAbsolutePath().normalize());
    allowed.forEach(each -> roots.add(here.resolve(each).toAbsolutePath().normalize()));
    return roots;
  }
}
