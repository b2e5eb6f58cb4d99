package dev.flyball.batch;

import dev.flyball.run.file.AtomicFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Puts the answers into the order of the questions, in a new file that then takes the old one's
 * place. It takes twenty bytes a line.
 */
final class AnswerOrdering {
  private final LineIndex index;

  AnswerOrdering(LineIndex index) {
    this.index = index;
  }

  void rewrite(AnswerFile journal, Path output) throws IOException {
    var ids = new IdHashes();
    var scan = index.scan();
    for (var next = scan.next(); next.isPresent(); next = scan.next()) {
      ids.add(next.get().id());
    }
    ids.sorted();
    var offsets = new long[ids.count()];
    var lengths = new int[ids.count()];
    var hashes = new IdHashes.Fingerprints();
    var lines = new LineScanner(journal::read);
    while (lines.next()) {
      var id = AnswerFile.id(lines.bytes(), lines.length(), AnswerFile.ANSWERS);
      int place = id.isEmpty() ? -1 : ids.place(hashes.of(id.get()));
      if (place >= 0) {
        offsets[place] = lines.offset();
        lengths[place] = (int) (lines.end() - lines.offset());
      }
    }
    AtomicFile.<RuntimeException>replace(
        output,
        fresh -> {
          try (var out =
              FileChannel.open(fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var all = index.scan();
            for (var next = all.next(); next.isPresent(); next = all.next()) {
              int place = ids.place(next.get().id());
              copy(journal, offsets[place], lengths[place], out);
            }
            out.force(false);
          }
        });
  }

  private static void copy(AnswerFile from, long at, int count, FileChannel to) throws IOException {
    var line = ByteBuffer.allocate(count);
    while (line.hasRemaining() && from.read(line, at + line.position()) > 0) {
      // Until all of it is there.
    }
    line.flip();
    while (line.hasRemaining()) {
      to.write(line);
    }
  }
}
