package dev.flyball.history;

/** A run of this process, with the number under which the database has it. */
final class OpenRun {
  private final String id;
  private final Run run;
  private volatile long number;

  /** Guarded by the writer's lock. */
  private long calls;

  OpenRun(String id, Run run) {
    this.id = id;
    this.run = run;
  }

  String id() {
    return id;
  }

  Run run() {
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
