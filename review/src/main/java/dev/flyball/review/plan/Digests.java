package dev.flyball.review.plan;

import dev.flyball.review.source.Contents;
import dev.flyball.review.symbol.Language;
import dev.flyball.review.symbol.Outline;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The digests of texts, kept in a file by what the texts are, so that the next plan parses and
 * counts only what is new. A file that cannot be read, or that another version wrote, is as none.
 */
public final class Digests {
  private static final int MAGIC = 0xF1BA_11D1;
  private static final int VERSION = 1;
  private static final int MOST = 1_000_000;

  private final Optional<Path> file;
  private final Map<String, Digest> known;
  private final Map<String, Digest> used = new ConcurrentHashMap<>();
  private final AtomicBoolean isNew = new AtomicBoolean();

  private Digests(Optional<Path> file, Map<String, Digest> known) {
    this.file = file;
    this.known = known;
  }

  /** That are forgotten with the plan. */
  public static Digests inMemory() {
    return new Digests(Optional.empty(), Map.of());
  }

  /** That are kept in a file; what it has already is read. */
  public static Digests in(Path file) {
    try (var in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 20))) {
      return new Digests(Optional.of(file), read(in));
    } catch (NoSuchFileException none) {
      return new Digests(Optional.of(file), Map.of());
    } catch (IOException | RuntimeException damaged) {
      return new Digests(Optional.of(file), Map.of());
    }
  }

  Digest of(String path, byte[] bytes, Measure measure) {
    var print = print(path, bytes);
    var found = used.getOrDefault(print, known.get(print));
    if (found != null && found.counts().keySet().containsAll(measure.ways())) {
      used.put(print, found);
      return found;
    }
    var text = Contents.text(bytes);
    var counts = new HashMap<>(measure.counts(text));
    if (found != null) {
      counts.putAll(found.counts());
    }
    var outline = found == null ? Outline.of(path, text) : found.outline();
    var digest = new Digest(print, text.length(), counts, outline);
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
    if (file.isEmpty() || (!isNew.get() && (!all || used.size() == known.size()))) {
      return;
    }
    if (!all) {
      known.forEach(used::putIfAbsent);
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
    out.writeInt(used.size());
    for (var digest : used.values()) {
      out.writeUTF(digest.print());
      out.writeInt(digest.characters());
      out.writeByte(digest.counts().size());
      for (var count : digest.counts().entrySet()) {
        out.writeUTF(count.getKey());
        out.writeDouble(count.getValue());
      }
      digest.outline().write(out);
    }
  }

  private static Map<String, Digest> read(DataInputStream in) throws IOException {
    if (in.readInt() != MAGIC || in.readInt() != VERSION || in.readInt() != Outline.VERSION) {
      return Map.of();
    }
    int size = in.readInt();
    if (size < 0 || size > MOST) {
      return Map.of();
    }
    Map<String, Digest> digests = HashMap.newHashMap(size);
    for (int i = 0; i < size; i++) {
      var print = in.readUTF();
      int characters = in.readInt();
      Map<String, Double> counts = new HashMap<>();
      for (int left = in.readUnsignedByte(); left > 0; left--) {
        counts.put(in.readUTF(), in.readDouble());
      }
      digests.put(print, new Digest(print, characters, counts, Outline.read(in)));
    }
    return digests;
  }

  private static String print(String path, byte[] bytes) {
    var hash = sha256();
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

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
