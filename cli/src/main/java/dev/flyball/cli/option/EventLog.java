package dev.flyball.cli.option;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.scheduler.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The scheduler's events as lines of JSON, each with its moment, its name and its parts. */
final class EventLog implements Consumer<Event> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Writer out;
  private final InstantSource wall;
  private final ReentrantLock lock = new ReentrantLock();

  /** Lines for a writer, which is not closed. */
  EventLog(Writer out, InstantSource wall) {
    this.out = out;
    this.wall = wall;
  }

  @Override
  public void accept(Event event) {
    var line = JSON.createObjectNode().put("at", wall.instant().toString());
    line.put("event", event.getClass().getSimpleName());
    try {
      for (var part : event.getClass().getRecordComponents()) {
        put(line, part.getName(), part.getAccessor().invoke(event));
      }
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("events are records that anybody may read", impossible);
    }
    lock.lock();
    try {
      out.write(line + "\n");
      out.flush();
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    } finally {
      lock.unlock();
    }
  }

  private static void put(ObjectNode line, String name, Object value) {
    switch (value) {
      case Duration time -> line.put(name + "Seconds", time.toNanos() / 1e9);
      case Integer number -> line.put(name, number);
      case Long number -> line.put(name, number);
      case Double number -> line.put(name, number);
      case Boolean yes -> line.put(name, yes);
      case Optional<?> maybe -> maybe.ifPresent(there -> put(line, name, there));
      default -> line.put(name, value.toString());
    }
  }
}
