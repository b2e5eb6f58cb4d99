package dev.flyball.batch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    var prints = new LineHash();
    var lines = new LineScanner(journal.file());
    while (lines.next()) {
      var id = AnswerFile.id(lines.bytes(), lines.length(), AnswerFile.ANSWERS);
      int place = id.isEmpty() ? -1 : ids.place(prints.of(id.get()));
      if (place >= 0) {
        offsets[place] = lines.offset();
        lengths[place] = (int) (lines.end() - lines.offset());
      }
    }
    var fresh = output.resolveSibling(output.getFileName() + ".new");
    try (var out =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      scan = index.scan();
      for (var next = scan.next(); next.isPresent(); next = scan.next()) {
        int place = ids.place(next.get().id());
        copy(journal.file(), offsets[place], lengths[place], out);
      }
      out.force(false);
    }
    Files.move(fresh, output, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void copy(FileChannel from, long at, long count, FileChannel to)
      throws IOException {
    for (long done = 0; done < count; ) {
      done += from.transferTo(at + done, count - done, to);
    }
  }
}
