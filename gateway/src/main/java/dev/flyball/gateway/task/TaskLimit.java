package dev.flyball.gateway.task;

import dev.flyball.run.BadSettings;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The most tasks that may run at a time, as an operator writes it.
 *
 * @param tasks from 1 to 10,000
 */
public record TaskLimit(int tasks) {
  /** The variable that it is read from. */
  public static final String VARIABLE = "FLYBALL_MAX_CONCURRENT_TASKS";

  /** Where nobody has said anything. */
  public static final TaskLimit USUAL = new TaskLimit(10);

  private static final int MOST = 10_000;
  private static final int SHOWN = 40;
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");

  public TaskLimit {
    if (tasks < 1 || tasks > MOST) {
      throw new BadSettings(rule("tasks", String.valueOf(tasks)));
    }
  }

  /** What an environment says; a value that is no such number is refused, never guessed at. */
  public static TaskLimit of(Map<String, String> environment) {
    return of(VARIABLE, environment).orElse(USUAL);
  }

  /**
   * What an environment says in a variable.
   *
   * @param variable its name
   * @param environment all of them
   * @return the limit, if the variable is set
   */
  public static Optional<TaskLimit> of(String variable, Map<String, String> environment) {
    var text = environment.get(variable);
    if (text == null) {
      return Optional.empty();
    }
    var number = text.strip();
    int tasks = WHOLE.matcher(number).matches() ? Integer.parseInt(number) : 0;
    if (tasks < 1 || tasks > MOST) {
      throw new BadSettings(rule(variable, text));
    }
    return Optional.of(new TaskLimit(tasks));
  }

  private static String rule(String place, String value) {
    var shown = value.length() > SHOWN ? value.substring(0, SHOWN) + "..." : value;
    return "%s: a whole number from 1 to %,d is expected, but was '%s'"
        .formatted(place, MOST, shown.replaceAll("\\p{Cntrl}", "?"));
  }
}
