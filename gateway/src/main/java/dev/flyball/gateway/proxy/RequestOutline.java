package dev.flyball.gateway.proxy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The outline of a request's body: which model it asks, and about how large it is.
 *
 * <p>It is read while the parts come, so that a large body never stops an event loop, and nothing
 * is kept of it: neither a tree nor a text. It follows the brackets and the texts of JSON and
 * nothing else, because whoever judges the body is the provider. Of a long text many bytes are
 * passed over at once.
 */
final class RequestOutline {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private static final Set<String> MOST_OUTPUT =
      Set.of("max_tokens", "max_completion_tokens", "max_output_tokens");
  private static final Set<String> PICTURES =
      Set.of("image", "image_url", "input_image", "document", "file", "input_file", "input_audio");
  private static final Set<String> FILES = Set.of("data", "file_data");
  private static final String EMBEDDED = "data:";
  private static final int KEPT = 200;
  private static final int SHORTEST_EMBEDDED = 256;
  private static final int MOST_DIGITS = 10;
  private static final int MOST_ANSWERS = 1_000;

  /** The beginning of the text or the number that is being read. */
  private final byte[] kept = new byte[KEPT];

  private int keptLength;
  private long at;
  private long textFrom;
  private int depth;
  private boolean inText;
  private boolean escaped;
  private boolean inWord;
  private boolean blank;

  /** A text that has ended, of which only the next sign says whether it was a name. */
  private boolean ended;

  private long endedLength;
  private long endedAt;
  private String name = "";
  private String model = "";
  private long modelFrom = -1;
  private long modelTo = -1;
  private long mostOutput = -1;
  private long answers = 1;
  private boolean streamed;
  private long textBytes;
  private int images;

  /** Reads a part, from a place in an array to before another. */
  void feed(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      if (inText) {
        i = text(bytes, i, to);
        if (!inText) {
          endedAt = at + (i - from) - 1;
          endedLength = endedAt - textFrom;
        }
      } else {
        sign(bytes[i], at + (i - from));
        i++;
      }
    }
    at += to - from;
  }

  /** Goes on in a text; returns the place behind what was read. */
  private int text(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      if (!escaped && keptLength == KEPT) {
        i = pass(bytes, i, to);
        if (i == to) {
          return to;
        }
      }
      byte each = bytes[i++];
      if (escaped) {
        escaped = false;
      } else if (each == '\\') {
        escaped = true;
      } else if (each == '"') {
        inText = false;
        ended = true;
        return i;
      }
      if (keptLength < KEPT) {
        kept[keptLength++] = each;
      }
      blank |= each == ' ';
    }
    return i;
  }

  /** The place of the next quote or backslash, or the end. */
  private static int pass(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 4 * Long.BYTES <= to; i += 4 * Long.BYTES) {
      long any = marks((long) EIGHT.get(bytes, i));
      any |= marks((long) EIGHT.get(bytes, i + Long.BYTES));
      any |= marks((long) EIGHT.get(bytes, i + 2 * Long.BYTES));
      any |= marks((long) EIGHT.get(bytes, i + 3 * Long.BYTES));
      if ((any & HIGHS) != 0) {
        break;
      }
    }
    for (; i + Long.BYTES <= to; i += Long.BYTES) {
      if ((marks((long) EIGHT.get(bytes, i)) & HIGHS) != 0) {
        break;
      }
    }
    while (i < to && bytes[i] != '"' && bytes[i] != '\\') {
      i++;
    }
    return i;
  }

  /**
   * Has the high bit of the first byte that is a quote or a backslash, and of none before it: such
   * a byte becomes zero and then borrows, and what has the bit already is neither.
   */
  private static long marks(long eight) {
    return (((eight ^ QUOTES) - ONES) | ((eight ^ BACKSLASHES) - ONES)) & ~eight;
  }

  /** A sign between texts. */
  private void sign(byte each, long place) {
    if (inWord && isEnd(each)) {
      word();
    }
    switch (each) {
      case '"' -> {
        inText = true;
        keptLength = 0;
        blank = false;
        textFrom = place + 1;
      }
      case ':' -> {
        name = kept();
        textBytes += depth > 1 ? endedLength : 0;
        ended = false;
      }
      case '{', '[' -> depth++;
      case '}', ']' -> {
        value();
        depth--;
        name = "";
      }
      case ',' -> value();
      case ' ', '\n', '\r', '\t' -> {}
      default -> {
        if (!inWord) {
          inWord = true;
          keptLength = 0;
        }
        if (keptLength < KEPT) {
          kept[keptLength++] = each;
        }
      }
    }
  }

  private static boolean isEnd(byte each) {
    return each == ',' || each == '}' || each == ']' || each <= ' ';
  }

  private String kept() {
    return new String(kept, 0, keptLength, StandardCharsets.UTF_8);
  }

  /** A text has turned out to be a value. */
  private void value() {
    if (!ended) {
      return;
    }
    ended = false;
    if (depth == 1 && name.equals("model")) {
      model = endedLength <= KEPT ? kept() : "";
      modelTo = endedAt;
      modelFrom = endedAt - endedLength;
      return;
    }
    boolean embedded =
        endedLength >= SHORTEST_EMBEDDED
            && (kept().startsWith(EMBEDDED) || (FILES.contains(name) && !blank));
    if (name.equals("type") && endedLength < KEPT && PICTURES.contains(kept())) {
      images++;
    } else if (!embedded) {
      textBytes += endedLength;
    }
  }

  /** A number, true, false or null. */
  private void word() {
    inWord = false;
    textBytes += depth > 1 ? keptLength : 0;
    if (depth != 1) {
      return;
    }
    if (name.equals("stream")) {
      streamed = kept[0] == 't';
    } else if (MOST_OUTPUT.contains(name)) {
      mostOutput = number();
    } else if (name.equals("n")) {
      answers = Math.clamp(number(), 1, MOST_ANSWERS);
    }
  }

  private long number() {
    long number = 0;
    for (int i = 0; i < keptLength; i++) {
      if (kept[i] < '0' || kept[i] > '9' || i >= MOST_DIGITS) {
        return i == 0 ? -1 : number;
      }
      number = number * 10 + (kept[i] - '0');
    }
    return number;
  }

  /** The model that is asked, or an empty text. */
  String model() {
    return model;
  }

  /** Where the name of the model begins and ends in the body, without its quotes. */
  long modelFrom() {
    return modelFrom;
  }

  long modelTo() {
    return modelTo;
  }

  /** The most tokens that all answers may have, or below 0 if it does not say. */
  long mostOutput() {
    return mostOutput < 0 ? -1 : mostOutput * answers;
  }

  boolean streamed() {
    return streamed;
  }

  long textBytes() {
    return textBytes;
  }

  int images() {
    return images;
  }
}
