package dev.flyball.bench;

import java.util.List;
import java.util.SplittableRandom;

/** Java that nobody wrote: classes of methods that are all different, the same for one seed. */
final class Sources {
  private static final List<String> VERBS =
      List.of("load", "store", "merge", "count", "find", "close", "parse", "check", "send", "read");
  private static final List<String> NOUNS =
      List.of(
          "order", "user", "page", "index", "token", "batch", "lane", "event", "price", "route");
  private static final List<String> TYPES =
      List.of("int", "long", "String", "boolean", "double", "List<String>");
  private static final int METHODS = 14;

  private final SplittableRandom random;
  private final StringBuilder text = new StringBuilder();

  private Sources(SplittableRandom random) {
    this.random = random;
  }

  /** A file with one class, of about so many characters. */
  static String file(String name, int characters, SplittableRandom random) {
    var source = new Sources(random);
    source.text.append("package made.up;\n\nimport java.util.List;\n\n/** Made up. */\n");
    source.text.append("public class ").append(name).append(" {\n");
    for (int i = 0; source.text.length() < characters - 2; i++) {
      source.method(i, characters / METHODS);
    }
    return source.text.append("}\n").toString();
  }

  private void method(int number, int characters) {
    int end = text.length() + characters;
    text.append("  /** ").append(word(VERBS)).append(" the ").append(word(NOUNS)).append(". */\n");
    text.append(random.nextInt(3) == 0 ? "  private " : "  public ").append(word(TYPES));
    text.append(' ').append(name()).append(number).append('(').append(word(TYPES));
    text.append(' ').append(word(NOUNS)).append(") {\n");
    while (text.length() < end) {
      statement(2, 0);
    }
    text.append("    return ").append(expression(2)).append(";\n  }\n\n");
  }

  private void statement(int indent, int depth) {
    text.append("  ".repeat(indent));
    switch (random.nextInt(depth > 2 ? 3 : 6)) {
      case 0 ->
          text.append("var ").append(name()).append(" = ").append(expression(3)).append(";\n");
      case 1 -> text.append(name()).append('(').append(expression(2)).append(");\n");
      case 2 -> text.append(word(NOUNS)).append(" += ").append(expression(2)).append(";\n");
      case 3 -> block("if (" + expression(2) + ")", indent, depth);
      case 4 -> block("while (" + name() + "() < " + random.nextInt(1_000) + ")", indent, depth);
      default -> block("for (var each : " + word(NOUNS) + "s())", indent, depth);
    }
  }

  private void block(String head, int indent, int depth) {
    text.append(head).append(" {\n");
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      statement(indent + 1, depth + 1);
    }
    text.append("  ".repeat(indent)).append("}\n");
  }

  private String expression(int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 6)) {
      case 0 -> Integer.toString(random.nextInt(10_000));
      case 1 -> word(NOUNS);
      case 2 -> '"' + word(VERBS) + ' ' + word(NOUNS) + '"';
      case 3 -> name() + "(" + expression(depth - 1) + ", " + expression(depth - 1) + ")";
      case 4 -> expression(depth - 1) + " + " + expression(depth - 1);
      default -> word(NOUNS) + "." + name() + "(" + expression(depth - 1) + ")";
    };
  }

  private String name() {
    var noun = word(NOUNS);
    return word(VERBS) + Character.toUpperCase(noun.charAt(0)) + noun.substring(1);
  }

  private String word(List<String> words) {
    return words.get(random.nextInt(words.size()));
  }
}
