package dev.flyball.batch;

import dev.flyball.run.BadInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines that changed since an earlier run. An answer belongs to the question that it was given
 * to; if the line now asks something else, somebody has to decide.
 */
final class ChangedLines {
  private static final int SHOWN = 10;

  private final LineIndex old;
  private final LineIndex now;

  ChangedLines(LineIndex old, LineIndex now) {
    this.old = old;
    this.now = now;
  }

  void refuse(IdHashes finished, BatchSettings settings) throws IOException, BadInput {
    var changed = new ArrayList<Integer>();
    var moved = new HashMap<Long, LineIndex.Entry>();
    var before = old.scan();
    var after = now.scan();
    for (var next = after.next(); next.isPresent(); next = after.next()) {
      var earlier = before.next();
      if (earlier.isPresent() && earlier.get().id() == next.get().id()) {
        compare(earlier.get(), next.get(), finished, changed);
      } else if (finished.contains(next.get().id())) {
        moved.put(next.get().id(), next.get());
      }
    }
    if (!moved.isEmpty()) {
      compareMoved(moved, finished, changed);
    }
    if (!changed.isEmpty()) {
      throw new BadInput(
          ("%,d line%s changed since %s was written (line %s%s): put the old text back, give the"
               + " new text a new custom_id, or write to another file with -o. Nothing was sent.")
              .formatted(
                  changed.size(),
                  changed.size() == 1 ? "" : "s",
                  settings.output(),
                  String.join(
                      ", ",
                      changed.stream().sorted().limit(SHOWN).map(n -> "%,d".formatted(n)).toList()),
                  changed.size() > SHOWN ? ", ..." : ""));
    }
  }

  /** Lines were put in or taken out; so each is looked for by its id. */
  private void compareMoved(
      Map<Long, LineIndex.Entry> moved, IdHashes finished, List<Integer> changed)
      throws IOException {
    var before = old.scan();
    for (var next = before.next(); next.isPresent(); next = before.next()) {
      var here = moved.get(next.get().id());
      if (here != null) {
        compare(next.get(), here, finished, changed);
      }
    }
  }

  private static void compare(
      LineIndex.Entry earlier, LineIndex.Entry here, IdHashes finished, List<Integer> changed) {
    if (earlier.body() != here.body() && finished.contains(here.id())) {
      changed.add(here.number());
    }
  }
}
