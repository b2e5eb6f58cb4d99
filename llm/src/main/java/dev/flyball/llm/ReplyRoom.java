package dev.flyball.llm;

import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that all replies in flight may take together, and the most that one of them may.
 *
 * <p>How large an answer is, the provider decides, and it may mean harm or be broken. So each reply
 * has a bound that follows from the longest answer that was asked for: 2 KiB a token is several
 * times what a token takes with the probabilities of its rivals, and 8 MiB beside it are for what
 * is not counted in tokens, such as an image. What all of them hold at one time is bounded by a
 * twelfth of the heap, because an answer is for a moment there more than once: as it came, copied
 * to its length, read, and as the line that is written. The first 64 KiB of each reply, which is
 * more than most have, are not counted; beyond that a buffer doubles when there is room, waits a
 * while when there is none, and then the reply is refused. Nobody waits for ever with something in
 * hand, so two that wait for each other cannot stand still.
 */
final class ReplyRoom {
  private static final int UNCOUNTED = 64 << 10;
  private static final int LARGEST = 64 << 20;
  private static final int BESIDE_TOKENS = 8 << 20;
  private static final int EACH_TOKEN = 2 << 10;
  private static final long PART_OF_HEAP = 12;
  private static final int UNIT = 1 << 10;
  private static final long PATIENCE = 10_000;
  private static final long LOOK = 100;

  private final int all;
  private final Semaphore free;

  ReplyRoom(long bytes) {
    this.all = Math.toIntExact(Math.min(bytes, Integer.MAX_VALUE / 2));
    this.free = new Semaphore(all / UNIT, true);
  }

  static ReplyRoom ofHeap() {
    return new ReplyRoom(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** The buffer of one reply to a request for an answer of at most so many tokens. */
  Buffer buffer(OptionalLong longest) {
    long bound = longest.isPresent() ? BESIDE_TOKENS + EACH_TOKEN * longest.getAsLong() : LARGEST;
    return new Buffer((int) Math.min(Math.min(bound < 0 ? LARGEST : bound, LARGEST), all));
  }

  /** The reply is larger than it may be. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;

    final String advice;

    TooLarge(String message, String advice) {
      super(message);
      this.advice = advice;
    }
  }

  /** The body of one reply while it comes. What it holds is given back when it is closed. */
  final class Buffer implements AutoCloseable {
    private final int bound;
    private byte[] bytes = new byte[4 << 10];
    private int size;
    private int counted;

    private Buffer(int bound) {
      this.bound = bound;
    }

    int size() {
      return size;
    }

    /** Refuses what is announced and too large, before it comes. */
    void expect(long length) throws TooLarge {
      if (length > bound) {
        throw tooLarge();
      }
    }

    private TooLarge tooLarge() {
      return new TooLarge(
          "the answer is larger than %,d KiB, far more than was asked for".formatted(bound / UNIT),
          "none of it is kept; ask for less, or check what this server is");
    }

    /** Adds a piece, and waits a while if there is no room for it. */
    void add(byte[] piece, int length, AttemptWatch watch) throws IOException {
      if (size + length > bound) {
        throw tooLarge();
      }
      if (size + length > bytes.length) {
        int larger = Math.min(Math.max(bytes.length * 2, size + length), Math.max(bound, UNIT));
        count(larger, watch);
        bytes = Arrays.copyOf(bytes, larger);
      }
      System.arraycopy(piece, 0, bytes, size, length);
      size += length;
    }

    private void count(int larger, AttemptWatch watch) throws IOException {
      int more = larger > UNCOUNTED ? Math.ceilDiv(larger, UNIT) - counted : 0;
      try {
        for (long waited = 0; !free.tryAcquire(more, LOOK, TimeUnit.MILLISECONDS); waited += LOOK) {
          if (watch.ranOut().isPresent()) {
            throw new IOException("cut while it waited for room");
          }
          if (waited >= PATIENCE) {
            throw new TooLarge(
                "there was no memory for the answer beside the others in flight",
                "use a lower --concurrency, or more memory: FLYBALL_JAVA_OPTS=-Xmx4g");
          }
          watch.keptWaiting();
        }
        counted += more;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while it waited for room", stopped);
      }
    }

    /** All of it; the buffer itself is let go. */
    byte[] whole() {
      var all = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
      bytes = all;
      return all;
    }

    @Override
    public void close() {
      free.release(counted);
      counted = 0;
      bytes = new byte[0];
      size = 0;
    }
  }
}
