package dev.flyball.review.plan;

import static dev.flyball.review.symbol.ParseQuality.GUESSED;

import dev.flyball.llm.Sha256;
import dev.flyball.review.patch.TextDecoder;
import dev.flyball.review.secret.Secrets;
import dev.flyball.review.select.Subject;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The digests of texts, kept in a file by what the texts are, so that the next plan parses and
 * counts only what is new. A file that cannot be read, or that another version wrote, is as none.
 */
public final class DigestStore {
  private static final int MAGIC = 0xF1BA_11D1;
  private static final int VERSION = 2;
  private static final int MOST = 1_000_000;

  /** A clock of a disk may be this much too coarse, in nanoseconds. */
  private static final long TOO_NEAR = 2_000_000_000L;

  /** A file as it was when it was read. */
  private record Seen(Subject.Stamp stamp, String print) {}

  private final Optional<Path> file;
  private final long now;
  private final Map<String, TextDigest> known = new HashMap<>();
  private final Map<String, Seen> stamps = new HashMap<>();
  private final Map<String, Seen> fresh = new ConcurrentHashMap<>();
  private final Map<String, TextDigest> used = new ConcurrentHashMap<>();
  private final AtomicBoolean isNew = new AtomicBoolean();

  private DigestStore(Optional<Path> file, long now) {
    this.file = file;
    this.now = now;
  }

  /** That are forgotten with the plan. */
  public static DigestStore inMemory() {
    return new DigestStore(Optional.empty(), Long.MIN_VALUE);
  }

  /** Of all files below a folder, in the folder of what is kept; it can be deleted at any time. */
  public static DigestStore of(Path state, Path top, Instant now) {
    var name = UUID.nameUUIDFromBytes(top.toString().getBytes(StandardCharsets.UTF_8));
    return in(state.resolve("digests").resolve(name + ".bin"), now);
  }

  /** That are kept in a file; what it has already is read. */
  public static DigestStore in(Path file, Instant now) {
    var digests = new DigestStore(Optional.of(file), nanos(now));
    try (var in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 20))) {
      digests.read(in);
    } catch (IOException | RuntimeException damaged) {
      digests.known.clear();
      digests.stamps.clear();
    }
    return digests;
  }

  private static long nanos(Instant moment) {
    return TimeUnit.SECONDS.toNanos(moment.getEpochSecond()) + moment.getNano();
  }

  /**
   * Of a file that has not been written since it was last read. One that was written just before
   * that may have been written again in the same moment.
   */
  Optional<TextDigest> known(Subject.Item item, TokenMeasure measure) {
    var stamp = item.stamp().orElse(null);
    var seen = stamps.get(item.path());
    if (stamp == null || seen == null || !seen.stamp().equals(stamp)) {
      return Optional.empty();
    }
    var digest = known.get(seen.print());
    if (digest == null || !digest.counts().keySet().containsAll(measure.ways())) {
      return Optional.empty();
    }
    used.put(digest.print(), digest);
    fresh.put(item.path(), seen);
    return Optional.of(digest);
  }

  TextDigest of(Subject.Item item, byte[] bytes, TokenMeasure measure) {
    var digest = of(item.path(), bytes, measure);
    item.stamp()
        .filter(stamp -> stamp.size() == bytes.length && stamp.written() < now - TOO_NEAR)
        .ifPresent(stamp -> fresh.put(item.path(), new Seen(stamp, digest.print())));
    return digest;
  }

  /** How long a text is that is no file, such as a question. */
  TierTokens size(String text, TokenMeasure measure) {
    var digest = of("", text.getBytes(StandardCharsets.UTF_8), measure);
    return measure.of(digest.counts(), digest.characters());
  }

  private TextDigest of(String path, byte[] bytes, TokenMeasure measure) {
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
   * Keeps what was used since.
   *
   * @param all whether that is all that there is, so that the rest can be forgotten
   */
  public void save(boolean all) throws IOException {
    boolean same = !isNew.get() && (!all || (used.size() == known.size() && fresh.equals(stamps)));
    if (file.isEmpty() || same) {
      return;
    }
    if (!all) {
      known.forEach(used::putIfAbsent);
      stamps.forEach(fresh::putIfAbsent);
    }
    var folder = file.get().toAbsolutePath().getParent();
    if (folder == null) {
      return;
    }
    Files.createDirectories(folder);
    var part = Files.createTempFile(folder, "digests", ".part");
    try {
      try (var out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(part), 1 << 20))) {
        write(out);
      }
      Files.move(
          part, file.get(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void write(DataOutputStream out) throws IOException {
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
    out.writeInt(fresh.size());
    for (var seen : fresh.entrySet()) {
      out.writeUTF(seen.getKey());
      out.writeLong(seen.getValue().stamp().size());
      out.writeLong(seen.getValue().stamp().written());
      out.writeUTF(seen.getValue().print());
    }
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
    for (int left = size(in); left > 0; left--) {
      stamps.put(
          in.readUTF(), new Seen(new Subject.Stamp(in.readLong(), in.readLong()), in.readUTF()));
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
