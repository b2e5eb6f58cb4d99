package dev.flyball.gateway.proxy;

import dev.flyball.gateway.http.Caller;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room for requests that are not over: the bytes of their bodies and the places of those that
 * wait. Whoever has a key takes no more than a part, so that nobody keeps the others out.
 * Thread-safe.
 */
final class CallerRoom {
  /** Of all bytes, one key may have the half. */
  private static final long PART = 2;

  /** What one key takes. */
  private static final class Share {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
  }

  private final long mostBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final Map<String, Share> shares = new ConcurrentHashMap<>();

  CallerRoom(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Of those that have a key; there are as many as somebody has made. */
  private Share share(Caller caller) {
    return shares.computeIfAbsent(caller.name(), name -> new Share());
  }

  /** Takes room for so many bytes of a body, if there is that. */
  boolean hold(Caller caller, long more) {
    if (more <= 0) {
      return true;
    }
    if (caller.isKnown() && share(caller).bytes.addAndGet(more) > mostBytes / PART) {
      share(caller).bytes.addAndGet(-more);
      return false;
    }
    if (bytes.addAndGet(more) > mostBytes) {
      giveBack(caller, more);
      return false;
    }
    return true;
  }

  void giveBack(Caller caller, long held) {
    bytes.addAndGet(-held);
    if (caller.isKnown()) {
      share(caller).bytes.addAndGet(-held);
    }
  }

  long heldBytes() {
    return bytes.get();
  }

  /** Takes a place among the requests that wait, if one is left for this caller. */
  boolean waits(Caller caller, ServeRules rules) {
    if (caller.isKnown() && share(caller).waiting.incrementAndGet() > rules.mostWaitingOfKey()) {
      waitsNoMore(caller);
      return false;
    }
    return true;
  }

  void waitsNoMore(Caller caller) {
    if (caller.isKnown()) {
      share(caller).waiting.decrementAndGet();
    }
  }
}
