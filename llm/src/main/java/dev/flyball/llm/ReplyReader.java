package dev.flyball.llm;

import dev.flyball.call.Reply;
import dev.flyball.call.Signals;
import dev.flyball.call.Usage;
import dev.flyball.llm.reply.ErrorClassifier;
import dev.flyball.llm.reply.ReplyHead;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the body of a success, while its bytes go by: what it used, and at its end whether
 * it was a whole answer, an error after all, or cut short. It neither waits nor keeps the bytes, so
 * whoever blocks and whoever must not can both stand on it. For one thread at a time.
 */
public final class ReplyReader {
  private final ReplyHead head;
  private final Signals signals;
  private final long input;
  private final @Nullable StreamMeter stream;
  private final PlainMeter plain;
  private final StringBuilder beginning = new StringBuilder();
  private long bytes;

  private ReplyReader(ReplyHead head, Signals signals, long input, boolean streamed) {
    this.head = head;
    this.signals = signals;
    this.input = input;
    this.stream = streamed ? new StreamMeter() : null;
    this.plain = new PlainMeter();
  }

  /**
   * For a reply whose head is there.
   *
   * @param signals what the head said about limits
   * @param input estimated tokens of the prompt, for a reply that does not say
   */
  public static ReplyReader of(ReplyHead head, Signals signals, long input) {
    var type = head.first("content-type").orElse("").toLowerCase(Locale.ROOT);
    return new ReplyReader(head, signals, input, type.contains("event-stream"));
  }

  /** Whether the answer comes in events. */
  public boolean isStream() {
    return stream != null;
  }

  /** Reads a piece, from a place in an array to before another. */
  public void feed(byte[] piece, int from, int to) {
    bytes += to - from;
    if (stream != null) {
      stream.read(piece, from, to);
    } else {
      plain.read(piece, from, to);
      int left = LONGEST_ERROR - beginning.length();
      if (left > 0) {
        beginning.append(
            new String(piece, from, Math.min(to - from, left), StandardCharsets.ISO_8859_1));
      }
    }
  }

  private static final int LONGEST_ERROR = 4 << 10;

  /** Whether it has said that it is whole; what comes after that is of no matter. */
  public boolean ended() {
    return stream != null && stream.ended();
  }

  /** The bytes that brought something, and not only signs of life. */
  long useful() {
    return stream == null ? plain.useful() : stream.useful();
  }

  /** What it has used by now, as far as can be told. */
  public Usage soFar() {
    return stream == null ? Usage.of(input, bytes / 4) : usage(stream.usage());
  }

  /**
   * No more comes.
   *
   * @param cutBy what ended it, if it was not its own end
   * @param value what the answer is, if it is one
   */
  public <T> Reply<T> end(Optional<String> cutBy, T value) {
    if (stream != null) {
      return streamed(stream, cutBy, value);
    }
    var top = plain.end();
    if (top.isEmpty()) {
      return cutShort(cutBy.orElse("the answer is not whole JSON"));
    }
    return plain(top.get(), errorText(), value);
  }

  private String errorText() {
    return new String(
        beginning.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** Of a plain answer that was read in another way. */
  <T> Reply<T> plain(UsageReader.Top top, String error, T value) {
    var said = top.usage().filter(usage -> usage.tokens() > 0).map(this::usage);
    return top.failed()
        ? ErrorClassifier.inStream(error, head, said.orElse(Usage.NONE))
        : Reply.answered(value, said.orElseGet(() -> Usage.of(input, bytes / 4)), signals);
  }

  /** What was whole before its connection broke is whole. */
  private <T> Reply<T> streamed(StreamMeter meter, Optional<String> cutBy, T value) {
    meter.end();
    if (meter.error().isPresent()) {
      return ErrorClassifier.inStream(meter.error().get(), head, usage(meter.usage()));
    }
    return meter.ended() || (cutBy.isEmpty() && meter.finished())
        ? Reply.answered(value, usage(meter.usage()), signals)
        : cutShort(cutBy.orElse("the stream ended before its end"));
  }

  <T> Reply<T> cutShort(String reason) {
    var used = stream == null ? Usage.NONE : stream.usage();
    return new Reply.CutShort<>(reason, usage(used), signals);
  }

  private Usage usage(Usage said) {
    boolean silent = said.input() + said.cacheRead() + said.cacheWrite() == 0;
    return silent ? UsageReader.latest(said, Usage.of(input, 0)) : said;
  }
}
