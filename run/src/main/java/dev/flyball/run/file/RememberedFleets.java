package dev.flyball.run.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many shared the limits at a Redis when it was used last, in a file of the user's state for
 * each fleet. What cannot be read or written is as if it were not remembered.
 */
public final class RememberedFleets {
  private static final int MOST = 100_000;
  private final Optional<Path> file;

  private RememberedFleets(Optional<Path> file) {
    this.file = file;
  }

  /** Of the fleet that meets at a place, which is named without its password. */
  public static RememberedFleets of(Map<String, String> environment, String place) {
    try {
      // A name without a character that a file system would mind.
      var name = "replicas-" + Integer.toHexString(place.hashCode()) + ".txt";
      return new RememberedFleets(
          Optional.of(StateFolder.of(environment).folder("fleet").made(name)));
    } catch (IOException nowhere) {
      return new RememberedFleets(Optional.empty());
    }
  }

  public OptionalInt replicas() {
    try {
      if (file.isPresent() && Files.exists(file.get()) && Files.size(file.get()) < 20) {
        int replicas = Integer.parseInt(Files.readString(file.get()).strip());
        if (replicas >= 1 && replicas <= MOST) {
          return OptionalInt.of(replicas);
        }
      }
    } catch (IOException | NumberFormatException strange) {
      // As if there were nothing.
    }
    return OptionalInt.empty();
  }

  public void remember(int replicas) {
    try {
      if (file.isPresent()) {
        Files.writeString(file.get(), replicas + "\n", StandardCharsets.US_ASCII);
      }
    } catch (IOException full) {
      // The next start has to do without.
    }
  }
}
