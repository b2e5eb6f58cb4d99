package dev.flyball.review.plan;

import static dev.flyball.review.symbol.ParseQuality.GUESSED;

import dev.flyball.llm.Sha256;
import dev.flyball.review.patch.TextDecoder;
import dev.flyball.review.secret.Secrets;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The digests of texts, kept in a file by what the texts are, so that the next plan parses and
 * counts only what is new. The texts themselves are read each time: size and time of a file say
 * nothing about what is in it. A file of digests that cannot be read, or that another version
 * wrote, is as none.
 */
public final class DigestStore {
  private static final int MAGIC = 0xF1BA_11D1;
  private static final int VERSION = 3;
  private static final int MOST = 1_000_000;

  private final Map<String, TextDigest> known = new HashMap<>();
  private final Map<String, TextDigest> used = new ConcurrentHashMap<>();
  private final AtomicBoolean isNew = new AtomicBoolean();

  private DigestStore() {}

  /** Nothing is known yet. */
  public static DigestStore empty() {
    return new DigestStore();
  }

  /** What was kept. */
  public static DigestStore of(InputStream kept) {
    var digests = new DigestStore();
    try {
      digests.read(new DataInputStream(new BufferedInputStream(kept, 1 << 20)));
    } catch (IOException | RuntimeException damaged) {
      digests.known.clear();
    }
    return digests;
  }

  /** How long a text is that is no file, such as a question. */
  TierTokens size(String text, TokenMeasure measure) {
    var digest = of("", text.getBytes(StandardCharsets.UTF_8), measure);
    return measure.of(digest.counts(), digest.characters());
  }

  TextDigest of(String path, String text, TokenMeasure measure) {
    return of(path, text.getBytes(StandardCharsets.UTF_8), measure);
  }

  TextDigest of(String path, byte[] bytes, TokenMeasure measure) {
    var print = print(path, bytes);
    var found = used.getOrDefault(print, known.get(print));
    if (found != null && found.counts().keySet().containsAll(measure.ways())) {
      used.put(print, found);
      return found;
    }
    var text = TextDecoder.of(bytes);
    var counts = new HashMap<>(measure.counts(text));
    if (found != null) {
      counts.putAll(found.counts());
    }
    var outline = found == null ? Outline.of(path, Secrets.masked(text)) : found.outline();
    var digest = new TextDigest(print, text.length(), counts, outline);
    used.put(print, digest);
    isNew.set(true);
    return digest;
  }

  /**
   * Whether there is anything to keep that is not kept yet.
   *
   * @param all whether what was used is all that there is, so that the rest can be forgotten
   */
  public boolean isNew(boolean all) {
    return isNew.get() || (all && used.size() != known.size());
  }

  /** Keeps what was used since, and the rest unless what was used is all that there is. */
  public void write(OutputStream to, boolean all) throws IOException {
    if (!all) {
      known.forEach(used::putIfAbsent);
    }
    var out = new DataOutputStream(new BufferedOutputStream(to, 1 << 20));
    out.writeInt(MAGIC);
    out.writeInt(VERSION);
    out.writeInt(Outline.VERSION);
    var lasting = used.values().stream().filter(DigestStore::lasts).toList();
    out.writeInt(lasting.size());
    for (var digest : lasting) {
      out.writeUTF(digest.print());
      out.writeInt(digest.characters());
      out.writeByte(digest.counts().size());
      for (var count : digest.counts().entrySet()) {
        out.writeUTF(count.getKey());
        out.writeDouble(count.getValue());
      }
      digest.outline().write(out);
    }
    out.flush();
  }

  /** What was only guessed because time ran out may be read another time. */
  private static boolean lasts(TextDigest digest) {
    var outline = digest.outline();
    return outline.language().isEmpty() || outline.reading() != GUESSED;
  }

  private void read(DataInputStream in) throws IOException {
    if (in.readInt() != MAGIC || in.readInt() != VERSION || in.readInt() != Outline.VERSION) {
      return;
    }
    for (int left = size(in); left > 0; left--) {
      var print = in.readUTF();
      int characters = in.readInt();
      Map<String, Double> counts = new HashMap<>();
      for (int more = in.readUnsignedByte(); more > 0; more--) {
        counts.put(in.readUTF(), in.readDouble());
      }
      known.put(print, new TextDigest(print, characters, counts, Outline.read(in)));
    }
  }

  private static int size(DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > MOST) {
      throw new IOException("a file of digests has 0 to %d, but had %d".formatted(MOST, size));
    }
    return size;
  }

  private static String print(String path, byte[] bytes) {
    var hash = Sha256.digest();
    var language = Language.of(path).map(Language::name).orElseGet(() -> extension(path));
    hash.update(language.getBytes(StandardCharsets.UTF_8));
    hash.update((byte) 0);
    return HexFormat.of().formatHex(hash.digest(bytes), 0, 20);
  }

  /** What a text in an unknown language is guessed from. */
  private static String extension(String path) {
    var name = path.substring(path.lastIndexOf('/') + 1);
    return "." + name.substring(name.lastIndexOf('.') + 1);
  }
}
