package dev.flyball.batch;

import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * The rule where answers may go: into a file that can be read again, because it is the journal, in
 * a folder that can hold the files beside it. A link to such a file is followed, because whoever
 * named it meant it; the files beside it were not named, so those may be no links.
 */
final class OutputPlace {
  private static final List<Path> SYSTEM =
      List.of(Path.of("/dev"), Path.of("/proc"), Path.of("/sys"));
  private static final Path MEMORY = Path.of("/dev/shm");

  private OutputPlace() {}

  /** Refuses what cannot be; nothing is touched. */
  static void check(BatchSettings settings) throws IOException, BadInput {
    var output = settings.output();
    if (Files.isDirectory(output)) {
      throw new BadInput(output + " is a folder: name a file with -o");
    }
    if (Files.exists(output) && !Files.isRegularFile(output)) {
      throw new BadInput(
          output
              + " is a device or a pipe, and a run resumes from its file of answers: name a file"
              + " with -o, or print with -o -");
    }
    if (Files.isSymbolicLink(output) && !Files.exists(output)) {
      throw new BadInput(
          output + " is a link to a file that does not exist: create it, or name another with -o");
    }
    var parent = output.toAbsolutePath().getParent();
    if (parent != null && Files.isDirectory(parent) && isSystem(parent.toRealPath())) {
      throw new BadInput(
          "the answers cannot go into "
              + parent
              + ", because files are made beside them: name a file in another folder with -o");
    }
    for (var beside : List.of(settings.errors(), settings.progress())) {
      if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS)
          && !Files.isRegularFile(beside, LinkOption.NOFOLLOW_LINKS)) {
        throw new BadInput(
            beside
                + " is needed beside the answers and is not a plain file: move it away, or name"
                + " another file with -o");
      }
    }
  }

  private static boolean isSystem(Path folder) {
    return SYSTEM.stream().anyMatch(folder::startsWith) && !folder.startsWith(MEMORY);
  }
}
