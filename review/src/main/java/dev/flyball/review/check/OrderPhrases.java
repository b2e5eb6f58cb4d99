package dev.flyball.review.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The phrases of {@code orders.txt}, held against the words of a sentence. How long that takes
 * grows with the number of words and with nothing else: between two words of a phrase there are
 * only so many others.
 */
final class OrderPhrases {
  /** Those that ship with Flyball. */
  static final OrderPhrases KNOWN = new OrderPhrases();

  private static final int HEAD = 3;

  /** How grave a phrase is. */
  enum Force {
    REMARK,
    GATE
  }

  /** A phrase that was found, and the words of the sentence that it reaches over. */
  record Hit(Force force, int first, int last) {}

  private sealed interface Part {
    record Word(Set<String> words) implements Part {}

    record Gap(int most) implements Part {}

    record NotNext(Set<String> words) implements Part {}
  }

  private enum Start {
    ANYWHERE,
    ORDER,
    SENTENCE
  }

  private record Phrase(
      Force force, Start start, List<Part> parts, boolean ends, Set<String> beside) {}

  private record Join(List<String> words, String joined) {}

  /** A part of a phrase whose parts may stand in any sequence. */
  private record Slot(int phrase, int part) {}

  private final Map<String, Set<String>> classes = new HashMap<>();
  private final Map<String, List<Phrase>> byFirst = new HashMap<>();
  private final Map<String, List<Join>> joins = new HashMap<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final Map<String, List<Slot>> exact = new HashMap<>();
  private final Map<String, List<Slot>> beginnings = new HashMap<>();
  private final Map<String, List<Slot>> pieces = new HashMap<>();
  private final Set<String> heads = new HashSet<>();
  private final Set<String> vocabulary = new HashSet<>();
  private int longest;

  private OrderPhrases() {
    try (var in = OrderPhrases.class.getResourceAsStream("orders.txt")) {
      var text =
          new String(
              Objects.requireNonNull(in, "orders.txt is missing").readAllBytes(),
              StandardCharsets.UTF_8);
      text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(LetterFolding::of)
          .forEach(this::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(String line) {
    int blank = line.indexOf(' ');
    var rest = line.substring(blank + 1);
    switch (line.substring(0, blank)) {
      case "join" -> {
        var sides = rest.split(" = ", -1);
        var words = List.of(sides[0].split(" ", -1));
        joins
            .computeIfAbsent(words.getFirst(), key -> new ArrayList<>())
            .add(new Join(words, sides[1]));
        vocabulary.addAll(words);
      }
      case "class" -> {
        var sides = rest.split(" = ", -1);
        classes.put(sides[0], Set.of(sides[1].split(" ", -1)));
        vocabulary.addAll(List.of(sides[1].split(" ", -1)));
      }
      case "gate" -> phrase(Force.GATE, rest);
      case "remark" -> phrase(Force.REMARK, rest);
      case "both" -> anyOrder(rest);
      default -> throw new IllegalStateException("orders.txt has no such line: " + line);
    }
  }

  private void phrase(Force force, String text) {
    var sides = text.split(" & ", -1);
    var start = Start.ANYWHERE;
    boolean ends = false;
    var parts = new ArrayList<Part>();
    for (var each : sides[0].split(" ", -1)) {
      switch (each.charAt(0)) {
        case '^' -> start = each.equals("^^") ? Start.SENTENCE : Start.ORDER;
        case '$' -> ends = true;
        case '~' -> parts.add(new Part.Gap(Integer.parseInt(each.substring(1))));
        case '!' -> parts.add(new Part.NotNext(words(each.substring(1))));
        default -> parts.add(new Part.Word(words(each)));
      }
    }
    var beside = sides.length > 1 ? words(sides[1]) : Set.<String>of();
    var phrase = new Phrase(force, start, List.copyOf(parts), ends, beside);
    ((Part.Word) parts.getFirst())
        .words()
        .forEach(word -> byFirst.computeIfAbsent(word, key -> new ArrayList<>()).add(phrase));
  }

  private Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    for (var each : text.split("\\|", -1)) {
      if (each.startsWith("@")) {
        words.addAll(Objects.requireNonNull(classes.get(each.substring(1)), each));
      } else {
        words.add(each);
      }
    }
    vocabulary.addAll(words);
    return words;
  }

  private void anyOrder(String text) {
    var parts = text.split(" +& +", -1);
    for (int part = 0; part < parts.length; part++) {
      var slot = new Slot(sizes.size(), part);
      for (var word : parts[part].split("\\|", -1)) {
        if (word.codePoints().anyMatch(OrderPhrases::isPicture)) {
          pieces.computeIfAbsent(word, key -> new ArrayList<>()).add(slot);
        } else if (word.endsWith("*")) {
          var beginning = word.substring(0, word.length() - 1);
          beginnings.computeIfAbsent(beginning, key -> new ArrayList<>()).add(slot);
          heads.add(head(beginning));
          longest = Math.max(longest, beginning.length());
        } else {
          exact.computeIfAbsent(word, key -> new ArrayList<>()).add(slot);
        }
      }
    }
    sizes.add(parts.length);
  }

  /** Whether it is a character of a script without blanks between words. */
  static boolean isPicture(int character) {
    return Character.isIdeographic(character) || (character >= 0x3040 && character <= 0x30FF);
  }

  private static String head(String word) {
    return word.substring(0, Math.min(HEAD, word.length()));
  }

  /** Whether a word is in any phrase. */
  boolean knows(String word) {
    return vocabulary.contains(word) || exact.containsKey(word);
  }

  /** The gravest phrase of a sentence. */
  Optional<Hit> in(Sentence sentence) {
    join(sentence);
    @Nullable Hit best = null;
    for (int i = 0; i < sentence.size(); i++) {
      for (var phrase : byFirst.getOrDefault(sentence.word(i), List.of())) {
        if (best == null || phrase.force().compareTo(best.force()) > 0) {
          var hit = at(phrase, sentence, i);
          best = hit == null ? best : hit;
        }
      }
    }
    if (best == null || best.force() == Force.REMARK) {
      var free = anyOrder(sentence);
      best = free.orElse(best);
    }
    return Optional.ofNullable(best);
  }

  private void join(Sentence sentence) {
    for (int i = 0; i < sentence.size(); i++) {
      for (var join : joins.getOrDefault(sentence.word(i), List.of())) {
        if (sentence.has(i, join.words())) {
          sentence.replace(i, join.words().size(), join.joined());
          break;
        }
      }
    }
  }

  private @Nullable Hit at(Phrase phrase, Sentence sentence, int from) {
    boolean begins =
        switch (phrase.start()) {
          case ANYWHERE -> true;
          case SENTENCE -> from == 0;
          case ORDER ->
              from == 0
                  || sentence.isBreak(from)
                  || Objects.requireNonNull(classes.get("lead")).contains(sentence.word(from - 1));
        };
    if (!begins) {
      return null;
    }
    int last = last(phrase, 0, sentence, from);
    if (last < 0) {
      return null;
    }
    int first = from;
    if (!phrase.beside().isEmpty()) {
      int beside = beside(phrase, sentence);
      if (beside < 0) {
        return null;
      }
      first = Math.min(first, beside);
      last = Math.max(last, beside);
    }
    return new Hit(phrase.force(), first, last);
  }

  private static int beside(Phrase phrase, Sentence sentence) {
    for (int i = 0; i < sentence.size(); i++) {
      if (phrase.beside().contains(sentence.word(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The last word of a phrase whose parts from some one on begin here; -1 if they do not. */
  private static int last(Phrase phrase, int part, Sentence sentence, int at) {
    if (part == phrase.parts().size()) {
      return phrase.ends() && at < sentence.size() ? -1 : at - 1;
    }
    return switch (phrase.parts().get(part)) {
      case Part.Word(var words) ->
          at < sentence.size() && words.contains(sentence.word(at))
              ? last(phrase, part + 1, sentence, at + 1)
              : -1;
      case Part.NotNext(var words) ->
          at < sentence.size() && words.contains(sentence.word(at))
              ? -1
              : last(phrase, part + 1, sentence, at);
      case Part.Gap(var most) -> {
        for (int skip = 0; skip <= most && at + skip < sentence.size(); skip++) {
          int last = last(phrase, part + 1, sentence, at + skip);
          if (last >= 0) {
            yield last;
          }
        }
        yield -1;
      }
    };
  }

  private Optional<Hit> anyOrder(Sentence sentence) {
    Map<Integer, BitSet> met = new HashMap<>();
    for (int i = 0; i < sentence.size(); i++) {
      var word = sentence.word(i);
      exact.getOrDefault(word, List.of()).forEach(slot -> meet(met, slot));
      if (heads.contains(head(word))) {
        for (int end = 1; end <= Math.min(longest, word.length()); end++) {
          beginnings
              .getOrDefault(word.substring(0, end), List.of())
              .forEach(slot -> meet(met, slot));
        }
      }
    }
    var pictures = sentence.pictures();
    if (!pictures.isEmpty()) {
      pieces.forEach(
          (piece, slots) -> {
            if (pictures.contains(piece)) {
              slots.forEach(slot -> meet(met, slot));
            }
          });
    }
    return met.entrySet().stream().anyMatch(each -> isWhole(each.getKey(), each.getValue()))
        ? Optional.of(new Hit(Force.GATE, 0, sentence.size() - 1))
        : Optional.empty();
  }

  private boolean isWhole(int phrase, BitSet met) {
    return met.cardinality() == sizes.get(phrase);
  }

  private static void meet(Map<Integer, BitSet> met, Slot slot) {
    met.computeIfAbsent(slot.phrase(), key -> new BitSet()).set(slot.part());
  }
}
