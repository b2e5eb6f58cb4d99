package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.InputSplit;
import dev.flyball.simulator.limit.LimitSnapshot;
import dev.flyball.simulator.limit.ModelRequest;
import dev.flyball.simulator.setting.Fault;
import java.util.Optional;

/** A request that was admitted, until it is finished or cut. */
public final class Serving {
  private final String request;
  private final ModelRequest ask;
  private final LimitScope scope;
  private final long admittedAt;
  private final InputSplit split;
  private final long firstAt;
  private final long perToken;
  private final long[] taken;
  private final Optional<Fault> fault;
  private final LimitSnapshot requests;
  private long produced;
  private long endedAt = Long.MAX_VALUE;

  Serving(
      String request,
      ModelRequest ask,
      LimitScope scope,
      long admittedAt,
      InputSplit split,
      long firstAt,
      long perToken,
      long[] taken,
      Optional<Fault> fault,
      LimitSnapshot requests) {
    this.request = request;
    this.ask = ask;
    this.scope = scope;
    this.admittedAt = admittedAt;
    this.split = split;
    this.firstAt = firstAt;
    this.perToken = perToken;
    this.taken = taken;
    this.fault = fault;
    this.requests = requests;
  }

  public String request() {
    return request;
  }

  ModelRequest ask() {
    return ask;
  }

  public LimitScope scope() {
    return scope;
  }

  long admittedAt() {
    return admittedAt;
  }

  public InputSplit split() {
    return split;
  }

  public Optional<Fault> fault() {
    return fault;
  }

  /** Whether anything is produced for it at all. */
  public boolean worked() {
    return fault.isEmpty() || !fault.get().instead();
  }

  public boolean struckBy(Fault.Kind kind) {
    return fault.isPresent() && fault.get().kind() == kind;
  }

  /** The levels as they were on admission. */
  public LimitSnapshot snapshotOnAdmission() {
    return requests;
  }

  /** What was taken on admission from the n-th meter. */
  long taken(int meter) {
    return taken[meter];
  }

  /** When so many tokens are there. */
  public long producedAt(long tokens) {
    return firstAt + Math.max(0, tokens - 1) * perToken;
  }

  public long finishedAt() {
    return producedAt(ask.output());
  }

  /** How many tokens should be there by now. */
  long due(long now) {
    if (now < firstAt) {
      return 0;
    }
    return perToken == 0 ? ask.output() : Math.min(ask.output(), 1 + (now - firstAt) / perToken);
  }

  long produced() {
    return produced;
  }

  void produced(long tokens) {
    produced = tokens;
  }

  public boolean over() {
    return endedAt != Long.MAX_VALUE;
  }

  void end(long now) {
    endedAt = now;
  }

  /** Whether it was not cut before this moment. */
  boolean reached(long moment) {
    return moment <= endedAt;
  }
}
