package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.history.record.HistoryLocation;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say where the history is. */
public final class HistoryOptions {
  /** The file of SQLite in the state folder, with what SQLite and we keep beside it. */
  private static final List<String> FILES =
      List.of("history.db-wal", "history.db-shm", "history.db-journal", "history.db-opening");

  private static final String FILE = "history.db";

  @SetBy(Who.USER)
  @Option(
      names = "--history",
      paramLabel = "PLACE",
      converter = Places.class,
      description =
          "Where runs are recorded: a file, or postgresql://user:password@host/db. Default:"
              + " history.db in $FLYBALL_STATE, $XDG_STATE_HOME/flyball or ~/.local/state/flyball")
  private @Nullable HistoryLocation place;

  /**
   * A file is looked for from the folder in which the command runs.
   *
   * @throws IOException if the state folder, where the history is if nobody says otherwise, is
   *     somebody else's
   */
  public HistoryLocation place(Path folder, Map<String, String> environment) throws IOException {
    return switch (place) {
      case null -> {
        var state = StateFolder.of(environment);
        for (var beside : FILES) {
          state.file(beside);
        }
        yield new HistoryLocation.File(state.file(FILE));
      }
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
