package dev.flyball.gateway.task;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that remembers what it was told, and reads the end when a test wants it to. */
final class RecordingChannel implements ReviewTask.Channel {
  final List<TaskEvent> events = new ArrayList<>();
  @Nullable Runnable unread;
  boolean readsAtOnce = true;
  int finished;

  @Override
  public void progress(TaskEvent event) {
    events.add(event);
  }

  @Override
  public void finish(List<TaskEvent> last, Runnable over) {
    finished++;
    events.addAll(last);
    if (readsAtOnce) {
      over.run();
    } else {
      unread = over;
    }
  }

  /** Reads the end, if there is one. */
  void reads() {
    var over = unread;
    unread = null;
    if (over != null) {
      over.run();
    }
  }

  List<String> names() {
    return events.stream().map(TaskEvent::name).toList();
  }

  TaskEvent latest() {
    return events.getLast();
  }
}
