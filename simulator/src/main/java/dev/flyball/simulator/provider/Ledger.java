package dev.flyball.simulator.provider;

import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.ModelRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that was admitted, charged, given back and turned away, in order: the judge. */
public final class Ledger {
  private final int keeps;
  private final Deque<LedgerEntry> entries = new ArrayDeque<>();
  private long written;

  /** Keeps the last so many lines. */
  Ledger(int keeps) {
    this.keeps = keeps;
  }

  void write(
      long now,
      LedgerEntry.What what,
      String scope,
      @Nullable Serving serving,
      @Nullable Limit limit,
      long amount,
      long level,
      String note) {
    String request = serving == null ? "" : serving.request();
    ModelRequest ask = serving == null ? null : serving.ask();
    write(now, what, scope, request, ask, limit, amount, level, note);
  }

  void write(
      long now,
      LedgerEntry.What what,
      String scope,
      String request,
      @Nullable ModelRequest ask,
      @Nullable Limit limit,
      long amount,
      long level,
      String note) {
    long sequence = written++;
    if (keeps == 0) {
      return;
    }
    if (entries.size() >= keeps) {
      entries.removeFirst();
    }
    String id = ask == null ? "" : ask.call().id();
    int attempt = ask == null ? 0 : ask.call().attempt();
    entries.addLast(
        new LedgerEntry(
            sequence, now, what, scope, request, id, attempt, limit, amount, level, note));
  }

  public List<LedgerEntry> entries() {
    return List.copyOf(entries);
  }

  /** How many lines are gone because there were more than are kept. */
  public long forgotten() {
    return written - entries.size();
  }
}
