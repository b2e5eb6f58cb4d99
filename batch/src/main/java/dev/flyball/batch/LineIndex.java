package dev.flyball.batch;

import dev.flyball.llm.Sha256;
import dev.flyball.run.file.AtomicFile;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The place of every line of the input and what it was, in a file beside the answers: forty bytes a
 * line, so that ten million lines need no memory. A later run compares it with what it finds, and
 * so knows which lines have changed.
 */
final class LineIndex implements AutoCloseable {
  /**
   * One line.
   *
   * @param number its place among all lines of the input, from 1
   * @param weight how long its answer may take, against the others
   */
  record Entry(long offset, int length, int route, long id, long body, int weight, int number) {}

  private static final long MAGIC = 0x464C59424C303102L;
  private static final int HEAD = 8;
  private static final int SIZE = 40;
  private static final int BLOCK = 1_024;

  private final FileChannel file;
  private final ByteBuffer out = ByteBuffer.allocate(SIZE * BLOCK);
  private long count;

  private LineIndex(FileChannel file, long count) {
    this.file = file;
    this.count = count;
  }

  static LineIndex create(Path path) throws IOException {
    var file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    file.write(ByteBuffer.allocate(HEAD).putLong(0, MAGIC));
    return new LineIndex(file, 0);
  }

  /** An earlier run's, if it is there and whole. */
  static Optional<LineIndex> open(Path path) throws IOException {
    if (!path.toFile().isFile()) {
      return Optional.empty();
    }
    var file = FileChannel.open(path, StandardOpenOption.READ);
    var head = ByteBuffer.allocate(HEAD);
    if (file.read(head, 0) == HEAD && head.getLong(0) == MAGIC) {
      return Optional.of(new LineIndex(file, (file.size() - HEAD) / SIZE));
    }
    file.close();
    return Optional.empty();
  }

  long count() {
    return count;
  }

  void add(Entry entry) throws IOException {
    if (!out.hasRemaining()) {
      flush();
    }
    out.putLong(entry.offset())
        .putInt(entry.length())
        .putInt(entry.route())
        .putLong(entry.id())
        .putLong(entry.body())
        .putInt(entry.weight())
        .putInt(entry.number());
    count++;
  }

  void flush() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      file.write(out);
    }
    out.clear();
  }

  /** All entries in their order. */
  Scan scan() {
    return new Scan();
  }

  /** A walk through the entries that reads ahead a block at a time. */
  final class Scan {
    private final ByteBuffer block = ByteBuffer.allocate(SIZE * BLOCK).limit(0);
    private long at;

    Optional<Entry> next() throws IOException {
      if (at == count) {
        return Optional.empty();
      }
      if (!block.hasRemaining()) {
        block.clear();
        long from = HEAD + at * SIZE;
        while (block.hasRemaining() && file.read(block, from + block.position()) > 0) {}
        block.flip();
      }
      at++;
      return Optional.of(
          new Entry(
              block.getLong(),
              block.getInt(),
              block.getInt(),
              block.getLong(),
              block.getLong(),
              block.getInt(),
              block.getInt()));
    }
  }

  Entry get(long place) throws IOException {
    var scan = new Scan();
    scan.at = place;
    return scan.next().orElseThrow();
  }

  /** The lines of one route that are still to be asked, each once. */
  interface Cursor {
    Optional<Entry> next() throws IOException;
  }

  /** In the order of the input. */
  Cursor fifo(int route, LongPredicate open) {
    var scan = scan();
    return () -> {
      for (var next = scan.next(); ; next = scan.next()) {
        if (next.isEmpty() || (next.get().route() == route && open.test(next.get().id()))) {
          return next;
        }
      }
    };
  }

  /** The longest first; takes eight bytes a line. */
  Cursor longestFirst(int route, LongPredicate open) throws IOException {
    var keys = new long[1_024];
    int used = 0;
    var scan = scan();
    long place = 0;
    for (var next = scan.next(); next.isPresent(); next = scan.next(), place++) {
      if (next.get().route() == route && open.test(next.get().id())) {
        keys = used == keys.length ? Arrays.copyOf(keys, used * 2) : keys;
        keys[used++] = ((long) (Integer.MAX_VALUE - next.get().weight()) << 32) | place;
      }
    }
    var order = Arrays.copyOf(keys, used);
    Arrays.sort(order);
    return new Cursor() {
      private int at;

      @Override
      public Optional<Entry> next() throws IOException {
        return at == order.length ? Optional.empty() : Optional.of(get(order[at++] & 0xFFFF_FFFFL));
      }
    };
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /**
   * The place of a batch's index: in the user's state folder, by the name of its answers, so that
   * nothing but answers is in the folder that they go into.
   */
  record Place(StateFolder folder, String name) {
    private static final int BYTES_OF_A_NAME = 12;

    static Place of(Map<String, String> environment, Path output) throws IOException {
      var parent = output.toAbsolutePath().normalize().getParent();
      var real =
          Files.exists(output)
              ? output.toRealPath()
              : parent != null && Files.isDirectory(parent)
                  ? parent.toRealPath().resolve(output.getFileName())
                  : output.toAbsolutePath().normalize();
      var name = HexFormat.of().formatHex(Sha256.of(real.toString()), 0, BYTES_OF_A_NAME);
      return new Place(StateFolder.of(environment).folder("batches"), name + ".index");
    }

    Path file() throws IOException {
      return folder.file(name);
    }

    <X extends Exception> void replace(AtomicFile.Content<X> content) throws IOException, X {
      folder.replace(name, content);
    }

    void delete() throws IOException {
      folder.delete(name);
    }
  }
}
