package dev.flyball.gateway.proxy;

import dev.flyball.run.config.ConfigFile;
import dev.flyball.run.config.ConfigRefused;
import dev.flyball.run.config.NearestWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The rules of the file {@code serve.yaml}: bounds, which keys a provider has, and who is asked
 * instead of whom. A file that breaks a rule is refused whole, with the line.
 *
 * @param maxWait how long a request waits if it does not say
 * @param opensAfter how long a stream waits before it is opened and told where it stands
 * @param maxQueue how many requests may wait in one lane
 * @param mostWaitingOfKey how many requests of one tenant may wait, in all lanes
 * @param maxBody the longest body in bytes
 * @param shadow whether requests go at once, and pacing is only reckoned
 * @param keys the variables with the keys of a provider
 * @param routes who is asked, by model, in the order of the file
 * @param places where the file first names a provider
 */
public record ServeRules(
    Duration maxWait,
    Duration opensAfter,
    int maxQueue,
    int mostWaitingOfKey,
    long maxBody,
    boolean shadow,
    Map<String, List<String>> keys,
    List<RouteRule> routes,
    Map<String, String> places) {
  /** Without a file. */
  public static final ServeRules USUAL =
      new ServeRules(
          Duration.ofMinutes(2),
          Duration.ofSeconds(5),
          10_000,
          5_000,
          64L << 20,
          false,
          Map.of(),
          List.of(),
          Map.of());

  private static final List<String> KNOWN =
      List.of(
          "max-wait",
          "opens-after",
          "max-queue",
          "max-queue-per-key",
          "max-body",
          "shadow",
          "keys",
          "routes",
          "reviews");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ?(kb|mb|gb)?");

  /**
   * Who is asked for some models, one after the other.
   *
   * @param models a name; a star stands for anything
   */
  public record RouteRule(String models, List<Target> targets) {
    boolean fits(String model) {
      var parts = models.split("\\*", -1);
      if (parts.length == 1) {
        return models.equals(model);
      }
      if (!model.startsWith(parts[0])) {
        return false;
      }
      int at = parts[0].length();
      for (int i = 1; i < parts.length - 1; i++) {
        int found = model.indexOf(parts[i], at);
        if (found < 0) {
          return false;
        }
        at = found + parts[i].length();
      }
      return model.length() - at >= parts[parts.length - 1].length()
          && model.endsWith(parts[parts.length - 1]);
    }
  }

  /**
   * A provider, and the model that is asked there, if it is not the same.
   *
   * @param provider by its name
   */
  public record Target(String provider, Optional<String> model) {
    static Target of(String written) {
      int slash = written.indexOf('/');
      return slash < 0
          ? new Target(written, Optional.empty())
          : new Target(written.substring(0, slash), Optional.of(written.substring(slash + 1)));
    }
  }

  /** What a file says; without one what is usual. */
  public static ServeRules read(Path file) throws ConfigRefused {
    try (var in = Files.newInputStream(file)) {
      return of(
          ConfigFile.of(file.getFileName().toString(), in.readNBytes(ConfigFile.LARGEST + 1)));
    } catch (NoSuchFileException none) {
      return USUAL;
    } catch (IOException no) {
      throw new ConfigRefused(file.getFileName() + ": it cannot be read");
    }
  }

  static ServeRules of(ConfigFile file) throws ConfigRefused {
    for (var key : file.keys()) {
      if (!KNOWN.contains(key)) {
        throw refused(
            file,
            key,
            "known keys are " + String.join(", ", KNOWN) + NearestWord.question(key, KNOWN));
      }
    }
    long queue = number(file, "max-queue", USUAL.maxQueue, 1, 1_000_000);
    var keys = new LinkedHashMap<String, List<String>>();
    var places = new HashMap<String, String>();
    for (var provider : file.keys("keys")) {
      keys.put(provider, list(file, "keys", provider));
      places.put(provider, file.place("keys", provider));
    }
    var routes = new ArrayList<RouteRule>();
    for (var models : file.keys("routes")) {
      var targets = list(file, "routes", models).stream().map(Target::of).toList();
      routes.add(new RouteRule(models, targets));
      targets.forEach(each -> places.putIfAbsent(each.provider(), file.place("routes", models)));
    }
    return new ServeRules(
        time(file, "max-wait", USUAL.maxWait),
        time(file, "opens-after", USUAL.opensAfter),
        (int) queue,
        (int) number(file, "max-queue-per-key", Math.max(1, queue / 2), 1, 1_000_000),
        size(file),
        truth(file, "shadow"),
        Map.copyOf(keys),
        List.copyOf(routes),
        Map.copyOf(places));
  }

  private static Duration time(ConfigFile file, String key, Duration usual) throws ConfigRefused {
    return file.keys().contains(key)
        ? Span.of(file.value(key).orElse(""))
            .orElseThrow(() -> refused(file, key, "a time is written 500ms, 30s or 2m"))
        : usual;
  }

  private static List<String> list(ConfigFile file, String section, String key)
      throws ConfigRefused {
    var said =
        file.value(section, key)
            .filter(value -> !value.isBlank())
            .orElseThrow(
                () ->
                    new ConfigRefused(
                        file.place(section, key) + ": expected a name or a list of names"));
    return List.of(said.split(" *, *"));
  }

  private static long number(ConfigFile file, String key, long usual, long least, long most)
      throws ConfigRefused {
    var said = file.value(key);
    if (said.isEmpty()) {
      return usual;
    }
    boolean number = said.get().matches("\\d{1,9}");
    long value = number ? Long.parseLong(said.get()) : -1;
    if (value < least || value > most) {
      throw refused(file, key, "a number from %,d to %,d".formatted(least, most));
    }
    return value;
  }

  private static boolean truth(ConfigFile file, String key) throws ConfigRefused {
    return switch (file.value(key).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refused(file, key, "it is true or false");
    };
  }

  private static long size(ConfigFile file) throws ConfigRefused {
    var said = file.value("max-body");
    if (said.isEmpty()) {
      return USUAL.maxBody;
    }
    var found = SIZE.matcher(said.get().toLowerCase(Locale.ROOT));
    if (!found.matches() || Long.parseLong(found.group(1)) == 0) {
      throw refused(file, "max-body", "a size is written 500KB or 64MB");
    }
    int shift =
        switch (found.group(2) == null ? "" : found.group(2)) {
          case "kb" -> 10;
          case "mb" -> 20;
          case "gb" -> 30;
          default -> 0;
        };
    return Math.min(1L << 31, Long.parseLong(found.group(1)) << shift);
  }

  private static ConfigRefused refused(ConfigFile file, String key, String rule) {
    return new ConfigRefused(file.place(key) + ": " + key + ": " + rule);
  }

  /** Who is asked for a model, if a route says so. */
  List<Target> targets(String model) {
    for (var route : routes) {
      if (route.fits(model)) {
        return route.targets();
      }
    }
    return List.of();
  }
}
