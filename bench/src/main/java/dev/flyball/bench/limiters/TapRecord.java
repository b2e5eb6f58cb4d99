package dev.flyball.bench.limiters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What passed a tap in one run. Times are nanoseconds of this machine's clock. */
final class TapRecord {
  /** In place of a status: the connection ended before the reply. */
  static final int CUT = 0;

  /** In place of a status: no reply yet. */
  static final int OPEN = -1;

  /** A request and its reply. */
  record Exchange(int call, long sent, long ended, int status) {}

  /** A request that has no reply yet. */
  static final class Open {
    private final int call;
    private final long sent;
    private volatile long ended = Long.MAX_VALUE;
    private volatile int status = OPEN;

    private Open(int call, long sent) {
      this.call = call;
      this.sent = sent;
    }

    void ended(int with) {
      ended = System.nanoTime();
      status = with;
    }

    private Exchange seen() {
      return new Exchange(call, sent, ended, status);
    }
  }

  private final ConcurrentLinkedQueue<Open> all = new ConcurrentLinkedQueue<>();
  private final CompletableFuture<Long> first = new CompletableFuture<>();

  Open sent(int call) {
    var open = new Open(call, System.nanoTime());
    all.add(open);
    first.complete(open.sent);
    return open;
  }

  /** When the first request came. */
  CompletableFuture<Long> first() {
    return first;
  }

  /** Everything so far, in the order in which it was sent. */
  List<Exchange> exchanges() {
    return all.stream().map(Open::seen).sorted(Comparator.comparingLong(Exchange::sent)).toList();
  }

  /** Keeps it in a file, in seconds from the first request. */
  void write(Path file) throws IOException {
    var exchanges = exchanges();
    long start = exchanges.isEmpty() ? 0 : exchanges.getFirst().sent();
    try (var out = Files.newBufferedWriter(file)) {
      out.write("call,sent,ended,status\n");
      for (var each : exchanges) {
        out.write(
            "%d,%.3f,%s,%d%n"
                .formatted(
                    each.call(),
                    (each.sent() - start) / 1e9,
                    each.status() == OPEN ? "" : "%.3f".formatted((each.ended() - start) / 1e9),
                    each.status()));
      }
    }
  }
}
