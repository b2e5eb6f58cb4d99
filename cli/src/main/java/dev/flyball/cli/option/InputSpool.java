package dev.flyball.cli.option;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * The copy of what comes through a pipe. It may have no end, so it is refused when a line is longer
 * than any that could be sent, and before the disk is full; of what is refused nothing is left.
 */
public final class InputSpool {
  private static final long LONGEST_LINE = 64L << 20;
  private static final long LEFT_FREE = 256L << 20;
  private static final long LOOK = 32L << 20;
  private static final int TYPE = 0170000;
  private static final int PIPE = 0010000;
  private static final int FILE = 0100000;

  private InputSpool() {}

  /** What comes cannot be the lines of a batch. */
  public static final class Unfit extends IOException {
    private static final long serialVersionUID = 1;

    Unfit(String why) {
      super(why);
    }
  }

  /** Whether a name leads to something that is neither a file nor a pipe. */
  public static boolean isDevice(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return false;
    }
    Map<String, Object> seen = Files.readAttributes(path, "unix:mode");
    int type = ((Number) seen.getOrDefault("mode", 0)).intValue() & TYPE;
    return type != PIPE && type != FILE;
  }

  /** Whether a folder is the system's, where nothing may be left. */
  static boolean isSystem(Path folder) throws IOException {
    var real = folder.toRealPath();
    return !real.startsWith("/dev/shm")
        && (real.startsWith("/dev") || real.startsWith("/proc") || real.startsWith("/sys"));
  }

  /** Copies all of it into a new file. */
  public static void copy(InputStream in, Path file) throws IOException {
    Files.deleteIfExists(file);
    boolean whole = false;
    try (var out =
        Files.newOutputStream(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS)) {
      var piece = new byte[64 << 10];
      long line = 0;
      long sinceLook = LOOK;
      for (int length; (length = in.read(piece)) >= 0; ) {
        for (int i = 0; i < length; i++) {
          line = piece[i] == '\n' ? 0 : line + 1;
        }
        if (line > LONGEST_LINE) {
          throw new Unfit("a line is longer than 64 MiB");
        }
        sinceLook += length;
        if (sinceLook >= LOOK) {
          sinceLook = 0;
          if (Files.getFileStore(file).getUsableSpace() < LEFT_FREE) {
            throw new Unfit("too large, or no room beside the answers: name a file");
          }
        }
        out.write(piece, 0, length);
      }
      whole = true;
    } finally {
      if (!whole) {
        Files.deleteIfExists(file);
      }
    }
  }
}
