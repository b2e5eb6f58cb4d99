package dev.flyball.cli;

import dev.flyball.history.Place;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where the history is, as all commands that use it are told. */
final class HistoryOptions {
  @Option(
      names = "--history",
      paramLabel = "PLACE",
      defaultValue = ".flyball/history.db",
      converter = Places.class,
      description =
          "Where runs are remembered: a file, or postgresql://user:password@host/db. Default:"
              + " ${DEFAULT-VALUE}.")
  private Place place;

  /** A file is looked for from the folder in which the command runs. */
  Place place(Path folder) {
    return switch (place) {
      case Place.File(Path path) -> new Place.File(folder.resolve(path));
      case Place.Server server -> server;
    };
  }

  /** Places as people write them. */
  static final class Places implements ITypeConverter<Place> {
    @Override
    public Place convert(String text) {
      try {
        return Place.of(text);
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(String.valueOf(wrong.getMessage()));
      }
    }
  }
}
