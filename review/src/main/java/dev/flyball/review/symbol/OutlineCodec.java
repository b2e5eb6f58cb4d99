package dev.flyball.review.symbol;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Outlines as bytes, small and quick to read. */
final class OutlineCodec {
  private static final int LARGEST = 256 << 20;
  private static final List<Language> LANGUAGES = List.of(Language.values());
  private static final List<ParseQuality> READINGS = List.of(ParseQuality.values());
  private static final List<SymbolKind> KINDS = List.of(SymbolKind.values());

  private static final int EXPORTED = 1;
  private static final int ANNOTATED = 2;
  private static final int HIDDEN = 4;
  private static final int SKETCHED = 8;

  private final ByteBuffer in;

  private OutlineCodec(byte[] bytes) {
    in = ByteBuffer.wrap(bytes);
  }

  static void write(Outline outline, DataOutput out) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var body = new DataOutputStream(bytes);
    number(outline.language().map(language -> LANGUAGES.indexOf(language) + 1).orElse(0), body);
    number(READINGS.indexOf(outline.reading()), body);
    number(outline.lines(), body);
    symbols(outline.symbols(), body);
    number(outline.imports().size(), body);
    for (Import one : outline.imports()) {
      word(one.module(), body);
      words(one.names(), body);
    }
    words(outline.names(), body);
    words(outline.quoted(), body);
    out.writeInt(Outline.VERSION);
    out.writeInt(bytes.size());
    out.write(bytes.toByteArray());
  }

  private static void symbols(List<Symbol> symbols, DataOutput out) throws IOException {
    List<String> owners = symbols.stream().map(Symbol::owner).distinct().toList();
    Map<String, Integer> index = new HashMap<>();
    owners.forEach(owner -> index.put(owner, index.size()));
    words(owners, out);
    number(symbols.size(), out);
    for (Symbol symbol : symbols) {
      word(symbol.name(), out);
      out.writeByte(KINDS.indexOf(symbol.kind()));
      out.writeByte(
          (symbol.exported() ? EXPORTED : 0)
              | (symbol.annotated() ? ANNOTATED : 0)
              | (symbol.hidden() ? HIDDEN : 0)
              | (symbol.sketch().isPresent() ? SKETCHED : 0));
      number(symbol.line(), out);
      number(symbol.endLine() - symbol.line(), out);
      number(index.getOrDefault(symbol.owner(), 0), out);
      if (symbol.sketch().isPresent()) {
        for (int one : symbol.sketch().get().numbers()) {
          out.writeInt(one);
        }
      }
    }
  }

  private static void words(List<String> words, DataOutput out) throws IOException {
    number(words.size(), out);
    for (String word : words) {
      word(word, out);
    }
  }

  private static void word(String word, DataOutput out) throws IOException {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    number(bytes.length, out);
    out.write(bytes);
  }

  private static void number(int number, DataOutput out) throws IOException {
    int rest = number;
    while (rest > 127) {
      out.writeByte((rest & 127) | 128);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  static Outline read(DataInput in) throws IOException {
    int version = in.readInt();
    if (version != Outline.VERSION) {
      throw new IOException(
          "an outline of version %d, where %d is read".formatted(version, Outline.VERSION));
    }
    int size = in.readInt();
    if (size < 0 || size > LARGEST) {
      throw new IOException("an outline has up to %d bytes, not %d".formatted(LARGEST, size));
    }
    byte[] bytes = new byte[size];
    in.readFully(bytes);
    try {
      return new OutlineCodec(bytes).outline();
    } catch (RuntimeException broken) {
      throw new IOException("not an outline: " + broken.getMessage(), broken);
    }
  }

  private Outline outline() {
    int language = number();
    return new Outline(
        language == 0 ? Optional.empty() : Optional.of(LANGUAGES.get(language - 1)),
        READINGS.get(number()),
        number(),
        symbols(),
        imports(),
        words(),
        words());
  }

  private List<Symbol> symbols() {
    List<String> owners = words();
    int count = count();
    List<Symbol> symbols = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = word();
      SymbolKind kind = KINDS.get(in.get());
      int flags = in.get();
      int line = number();
      int endLine = line + number();
      String owner = owners.get(number());
      symbols.add(
          new Symbol(
              name,
              kind,
              (flags & EXPORTED) != 0,
              line,
              endLine,
              owner,
              (flags & ANNOTATED) != 0,
              (flags & HIDDEN) != 0,
              (flags & SKETCHED) != 0 ? Optional.of(sketch()) : Optional.empty()));
    }
    return symbols;
  }

  private CodeSketch sketch() {
    int[] numbers = new int[CodeSketch.NUMBERS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.getInt();
    }
    return CodeSketch.of(numbers);
  }

  private List<Import> imports() {
    int count = count();
    List<Import> imports = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      imports.add(new Import(word(), words()));
    }
    return imports;
  }

  private List<String> words() {
    int count = count();
    List<String> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      words.add(word());
    }
    return words;
  }

  private String word() {
    int length = count();
    var word = new String(in.array(), in.position(), length, StandardCharsets.UTF_8);
    in.position(in.position() + length);
    return word;
  }

  /** Of things of at least a byte each, so never more than there are bytes left. */
  private int count() {
    int count = number();
    if (count < 0 || count > in.remaining()) {
      throw new IllegalArgumentException(
          "%d more were to come, in %d bytes".formatted(count, in.remaining()));
    }
    return count;
  }

  private int number() {
    int number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      byte next = in.get();
      number |= (next & 127) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new IllegalArgumentException("a number of more than five bytes");
  }
}
