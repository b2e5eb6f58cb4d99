package dev.flyball.gateway.task;

import dev.flyball.run.BadSettings;
import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Where the settings of reviews come from: the section {@code reviews} of {@code serve.yaml}, which
 * is read again whenever the server is told to, and the environment, which counts more.
 *
 * @param usual what counts where neither says anything
 */
public record TaskRules(Optional<Path> file, Map<String, String> environment, TaskSettings usual)
    implements Supplier<TaskSettings> {
  private static final String SECTION = "reviews";
  private static final String TASKS = "max-concurrent-tasks";
  private static final String QUEUE = "queue";
  private static final String TENANT = "per-tenant";
  private static final List<String> KNOWN = List.of(TASKS, QUEUE, TENANT);

  public TaskRules {
    environment = Map.copyOf(environment);
  }

  /** As it is now; refuses, with {@link BadSettings}, what cannot be. */
  @Override
  public TaskSettings get() {
    try {
      var rules = rules();
      for (var key : rules.keys(SECTION)) {
        if (!KNOWN.contains(key)) {
          throw refused(rules, key, "known keys are " + String.join(", ", KNOWN));
        }
      }
      var limit =
          environment.containsKey(TaskLimit.VARIABLE)
              ? TaskLimit.of(environment)
              : new TaskLimit(number(rules, TASKS, usual.room().limit().tasks(), 1));
      int queued = number(rules, QUEUE, usual.room().queued(), 0);
      var ofTenant =
          rules.value(SECTION, TENANT).isEmpty()
              ? usual.room().ofTenant()
              : OptionalInt.of(number(rules, TENANT, 1, 1));
      return usual.room(new TaskSettings.Room(limit, queued, ofTenant));
    } catch (ConfigRefused wrong) {
      throw new BadSettings(String.valueOf(wrong.getMessage()));
    }
  }

  private ConfigFile rules() throws ConfigRefused {
    if (file.isEmpty()) {
      return ConfigFile.empty("serve.yaml");
    }
    var name = String.valueOf(file.get().getFileName());
    try (var in = Files.newInputStream(file.get())) {
      return ConfigFile.of(name, in.readNBytes(ConfigFile.LARGEST + 1));
    } catch (NoSuchFileException none) {
      return ConfigFile.empty(name);
    } catch (IOException no) {
      throw new ConfigRefused(name + ": it cannot be read");
    }
  }

  private static int number(ConfigFile rules, String key, int usual, int least)
      throws ConfigRefused {
    var said = rules.value(SECTION, key);
    if (said.isEmpty()) {
      return usual;
    }
    int value = said.get().matches("[0-9]{1,6}") ? Integer.parseInt(said.get()) : -1;
    if (value < least || value > 10_000) {
      throw refused(rules, key, "a whole number from %d to 10,000".formatted(least));
    }
    return value;
  }

  private static ConfigRefused refused(ConfigFile rules, String key, String rule) {
    return new ConfigRefused(rules.place(SECTION, key) + ": " + key + ": " + rule);
  }
}
