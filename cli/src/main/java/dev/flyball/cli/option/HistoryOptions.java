package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.history.record.HistoryLocation;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say where the history is. */
public final class HistoryOptions {
  @SetBy(Who.USER)
  @Option(
      names = "--history",
      paramLabel = "PLACE",
      defaultValue = ".flyball/history.db",
      converter = Places.class,
      description =
          "Where runs are remembered: a file, or postgresql://user:password@host/db. Default:"
              + " ${DEFAULT-VALUE}.")
  private HistoryLocation place;

  /** A file is looked for from the folder in which the command runs. */
  public HistoryLocation place(Path folder) {
    return switch (place) {
      case HistoryLocation.File(Path path) -> new HistoryLocation.File(folder.resolve(path));
      case HistoryLocation.Server server -> server;
    };
  }

  /** Places as people write them. */
  static final class Places implements ITypeConverter<HistoryLocation> {
    @Override
    public HistoryLocation convert(String text) {
      try {
        return HistoryLocation.of(text);
      } catch (IllegalArgumentException wrong) {
        throw new TypeConversionException(String.valueOf(wrong.getMessage()));
      }
    }
  }
}
