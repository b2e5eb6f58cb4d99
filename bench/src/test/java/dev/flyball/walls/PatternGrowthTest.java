package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.review.rule.RuleFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every pattern that a class keeps, held against texts that are made of its own words and of signs
 * that patterns stumble over: four times the text may be four times the work. What is counted is
 * how often a character is read.
 */
final class PatternGrowthTest {
  private static final int SIZE = 1_500;
  private static final double MOST_GROWTH = 6;

  /** Patterns that only see texts of a bounded length, or words of whoever runs the command. */
  private static final Map<String, String> BOUNDED =
      Map.ofEntries(
          Map.entry("review.select.FileClassifier.GENERATED_NAME", "names under 300 characters"),
          Map.entry("review.select.FileClassifier.MINIFIED_NAME", "names under 300 characters"),
          Map.entry("review.select.FileClassifier.COMMENT", "lines under 2,000 characters"),
          Map.entry("review.plan.Complexity.SOURCE", "paths, as long as Git allows"),
          Map.entry("review.ask.ReviewRequest.THINKING", "the name of a model"),
          Map.entry("llm.token.TokenCounter.CLAUDE", "the name of a model"),
          Map.entry("llm.Loopback.SIX", "the host of an address of the user's own"),
          Map.entry("run.config.VariableName.NO_KEY", "a word of the user's own"),
          Map.entry("cli.Main.BEGINS_WITH_OPTION", "a message of our own"),
          Map.entry("cli.ShownValue.PARTS", "messages that were cut to a length"),
          Map.entry("cli.ShownValue.KEYS", "messages that were cut to a length"),
          Map.entry("history.record.HistoryLocation.SECRETS", "the user's own address"));

  private record Counted(String text, AtomicLong reads) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      reads.incrementAndGet();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Test
  void no_pattern_takes_more_than_four_times_as_long_for_four_times_the_text() throws Exception {
    var patterns = patterns();
    assertThat(patterns).hasSizeGreaterThan(30);
    var slow = new ArrayList<String>();
    patterns.forEach(
        (name, pattern) -> {
          if (!BOUNDED.containsKey(name.replaceAll("\\[.*", ""))) {
            for (var piece : pieces(pattern)) {
              double growth = growth(pattern, piece);
              if (growth > MOST_GROWTH) {
                slow.add("%s %s on '%s': %.1f".formatted(name, pattern, piece, growth));
                break;
              }
            }
          }
        });
    assertThat(slow).as(String.join("\n", slow)).isEmpty();
  }

  @Test
  void a_pattern_that_is_not_linear_is_seen() {
    assertThat(growth(Pattern.compile("[ \\t]+x"), " ")).isGreaterThan(MOST_GROWTH);
    assertThat(growth(Pattern.compile("BEGIN[\\s\\S]*?END"), "BEGIN")).isGreaterThan(MOST_GROWTH);
  }

  private static double growth(Pattern pattern, String piece) {
    long small = work(pattern, piece, SIZE);
    return small == 0 ? 1 : (double) work(pattern, piece, 4 * SIZE) / small;
  }

  private static long work(Pattern pattern, String piece, int size) {
    var reads = new AtomicLong();
    var text = new Counted(piece.repeat(size / piece.length() + 1), reads);
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      // What was found is of no interest.
    }
    matcher.reset().matches();
    return reads.get();
  }

  /** The words of a pattern one after the other, each alone, and signs, with blanks and without. */
  private static Set<String> pieces(Pattern pattern) {
    var pieces =
        new LinkedHashSet<>(
            List.of(
                " ",
                "\t",
                "\n",
                "a",
                "A",
                "0",
                "a ",
                "0 ",
                "0,",
                "0.",
                "-",
                "--",
                "/",
                "//",
                ":",
                "::",
                ":\n",
                "@",
                "#",
                "*",
                "\"",
                "\"a\":",
                "`",
                "<",
                "<a",
                ">",
                ";",
                "; ",
                ".",
                "a.",
                "=",
                "a=",
                "_",
                "aB",
                "\\",
                "'",
                "{",
                "[",
                "(",
                "\u001b[0",
                "+",
                "é"));
    for (var word : pattern.pattern().split("[^A-Za-z0-9_ :@-]+", -1)) {
      if (!word.isBlank()) {
        pieces.add(word);
        pieces.add(word + " ");
        pieces.add(word + "0");
        pieces.add(word + "a");
        pieces.add("\"" + word);
      }
    }
    return pieces;
  }

  /** By where they are kept. */
  private static Map<String, Pattern> patterns() throws Exception {
    var found = new TreeMap<String, Pattern>();
    for (var type : Shipped.CLASSES) {
      var name = type.getName();
      if (List.of(".bench.", ".simulator.", ".walls.").stream().noneMatch(name::contains)) {
        var known = Class.forName(name, false, PatternGrowthTest.class.getClassLoader());
        for (var field : known.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers()) && mayHold(field.getType())) {
            field.setAccessible(true);
            collect(
                name.substring("dev.flyball.".length()) + "." + field.getName(),
                field.get(null),
                found);
          }
        }
      }
    }
    for (var rule : RuleFiles.all()) {
      rule.ifText().ifPresent(each -> found.put("rule " + rule.id() + " if-text", each));
      rule.unlessText().ifPresent(each -> found.put("rule " + rule.id() + " unless-text", each));
    }
    return found;
  }

  private static boolean mayHold(Class<?> type) {
    return type == Pattern.class || Iterable.class.isAssignableFrom(type) || type.isRecord();
  }

  private static void collect(String name, @Nullable Object value, Map<String, Pattern> found)
      throws IllegalAccessException, InvocationTargetException {
    switch (value) {
      case Pattern pattern -> found.put(name, pattern);
      case Iterable<?> all when !(value instanceof java.nio.file.Path) -> {
        int number = 0;
        for (var each : all) {
          collect(name + "[" + number++ + "]", each, found);
        }
      }
      case Record made -> {
        for (RecordComponent part : made.getClass().getRecordComponents()) {
          if (part.getType() == Pattern.class) {
            part.getAccessor().setAccessible(true);
            collect(name + "[" + part.getName() + "]", part.getAccessor().invoke(made), found);
          }
        }
      }
      case null, default -> {}
    }
  }
}
