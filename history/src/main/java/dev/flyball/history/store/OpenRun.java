package dev.flyball.history.store;

import dev.flyball.history.record.RunStart;

/** A run of this process, with the number under which the database has it. */
public final class OpenRun {
  private final String id;
  private final RunStart run;
  private volatile long number;

  /** Guarded by the writer's lock. */
  private long calls;

  public OpenRun(String id, RunStart run) {
    this.id = id;
    this.run = run;
  }

  String id() {
    return id;
  }

  RunStart run() {
    return run;
  }

  long number() {
    return number;
  }

  void numbered(long known) {
    number = known;
  }

  long nextCall() {
    return ++calls;
  }
}
