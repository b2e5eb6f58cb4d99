package dev.flyball.review.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OutlineCodecTest {
  @Test
  void what_was_written_is_read() throws IOException {
    for (long seed = 1; seed <= 300; seed++) {
      Outline outline = outline(new Random(seed));
      assertThat(read(written(outline))).as("seed %d", seed).isEqualTo(outline);
    }
  }

  @Test
  void several_follow_each_other() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    List<Outline> outlines = Stream.of(4, 5, 6).map(seed -> outline(new Random(seed))).toList();
    for (Outline outline : outlines) {
      outline.write(out);
    }
    var in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    for (Outline outline : outlines) {
      assertThat(Outline.read(in)).isEqualTo(outline);
    }
  }

  @Test
  void another_version_is_not_read() throws IOException {
    byte[] bytes = written(outline(new Random(7)));
    bytes[3]++;
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version");
  }

  @Test
  void broken_bytes_are_an_outline_or_an_exception_that_says_so() throws IOException {
    var random = new Random(8);
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = written(outline(random));
      bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt();
      try {
        assertThat(read(bytes)).isNotNull();
      } catch (IOException expected) {
        assertThat(expected).isNotNull();
      }
    }
  }

  private static byte[] written(Outline outline) throws IOException {
    var bytes = new ByteArrayOutputStream();
    outline.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static Outline read(byte[] bytes) throws IOException {
    return Outline.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static Outline outline(Random random) {
    List<Symbol> symbols =
        IntStream.range(0, random.nextInt(20)).mapToObj(n -> symbol(random)).toList();
    List<Import> imports =
        IntStream.range(0, random.nextInt(4))
            .mapToObj(n -> new Import(word(random), words(random)))
            .toList();
    return new Outline(
        random.nextBoolean() ? Optional.empty() : Optional.of(one(Language.values(), random)),
        one(ParseQuality.values(), random),
        random.nextInt(Integer.MAX_VALUE),
        symbols,
        imports,
        words(random),
        words(random));
  }

  private static <T> T one(T[] of, Random random) {
    return of[random.nextInt(of.length)];
  }

  private static Symbol symbol(Random random) {
    int line = 1 + random.nextInt(100_000);
    boolean exported = random.nextBoolean();
    return new Symbol(
        word(random) + 'x',
        one(SymbolKind.values(), random),
        exported,
        line,
        line + random.nextInt(1_000),
        random.nextBoolean() ? "" : "Owner" + random.nextInt(3),
        random.nextBoolean(),
        !exported && random.nextBoolean(),
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(CodeSketch.of(random.ints(CodeSketch.NUMBERS).toArray())));
  }

  private static List<String> words(Random random) {
    return IntStream.range(0, random.nextInt(30)).mapToObj(n -> word(random)).toList();
  }

  private static String word(Random random) {
    return random
        .ints(random.nextInt(200), 0, 0x3000)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
