package dev.flyball.llm.token;

import com.knuddels.jtokkit.api.Encoding;
import dev.flyball.llm.Sha256;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The token counts of texts in an encoding, remembered by what they say, so that a system prompt or
 * a file that many calls share is encoded once. It keeps 128 bits of each text and not the text,
 * and forgets what was not asked for longest.
 */
final class CountCache {
  /** Shorter texts are encoded sooner than they are looked up. */
  static final int SHORTEST_KEPT = 512;

  private record Content(long one, long other, String encoding) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Content, Integer> known;
  private long encoded;

  CountCache(int most) {
    known =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Content, Integer> eldest) {
            return size() > most;
          }
        };
  }

  int of(String text, Encoding encoding) {
    if (text.length() < SHORTEST_KEPT) {
      return encoding.countTokensOrdinary(text);
    }
    var content = content(text, encoding.getName());
    lock.lock();
    try {
      var count = known.get(content);
      if (count != null) {
        return count;
      }
      encoded += text.length();
    } finally {
      lock.unlock();
    }
    int count = encoding.countTokensOrdinary(text);
    lock.lock();
    try {
      known.put(content, count);
    } finally {
      lock.unlock();
    }
    return count;
  }

  /** Characters of long texts that had to be encoded. */
  long encoded() {
    lock.lock();
    try {
      return encoded;
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return known.size();
    } finally {
      lock.unlock();
    }
  }

  private static Content content(String text, String encoding) {
    var bits = ByteBuffer.wrap(Sha256.of(text));
    return new Content(bits.getLong(), bits.getLong(), encoding);
  }
}
