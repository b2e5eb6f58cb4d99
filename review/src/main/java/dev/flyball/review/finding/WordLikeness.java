package dev.flyball.review.finding;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The likeness of claims by the weightier words that both use. */
final class WordLikeness {
  private static final double ENOUGH = 0.7;
  private static final int FEWEST = 3;
  private static final Pattern BLANK = Pattern.compile("\\s+");
  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9]+");
  private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|_");
  private static final List<String> ENDINGS =
      BLANK.splitAsStream("ization ations ation ings ing ions ion ies ied es ed s e").toList();
  private static final Set<String> EMPTY_WORDS =
      BLANK
          .splitAsStream(
              """
              the and for this that with from are not can will may when where which should could
              would because into its has have was were been being there here then than also only
              use uses used using code method function value call calls called does without instead
              never always any all one line user data input variable leads cause causes potential
              possible
              """)
          .collect(toUnmodifiableSet());

  /** Stems by the stem that stands for them: the first of each line. */
  private static final Map<String, String> SAME_WORDS =
      """
      inject sqli
      escap sanitiz sanitis
      concat concatenat
      null nullpointer npe none nil undefin
      absent miss lack
      test untest cover
      credential password secret key
      hardcode hardcod
      close leak releas
      race racy synchroniz threadsafe
      slow quadrat nest
      """
          .lines()
          .map(line -> BLANK.splitAsStream(line).toList())
          .<Map.Entry<String, String>>mapMulti(
              (stems, entries) ->
                  stems.stream()
                      .skip(1)
                      .forEach(stem -> entries.accept(Map.entry(stem, stems.getFirst()))))
          .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private WordLikeness() {}

  /** Whether two claims use so many of the same words that they say the same. */
  static boolean same(Claim one, Claim other) {
    var words = words(one);
    var others = words(other);
    int least = Math.min(words.size(), others.size());
    words.retainAll(others);
    return words.size() >= FEWEST && words.size() >= ENOUGH * least;
  }

  private static Set<String> words(Claim claim) {
    var words = new HashSet<String>();
    WORD.matcher(claim.title() + " " + claim.message())
        .results()
        .flatMap(found -> CAMEL.splitAsStream(found.group()))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .filter(word -> word.length() > 2 && !EMPTY_WORDS.contains(word))
        .map(WordLikeness::stem)
        .forEach(words::add);
    return words;
  }

  private static String stem(String word) {
    var stem =
        ENDINGS.stream()
            .filter(ending -> word.length() > ending.length() + 2 && word.endsWith(ending))
            .findFirst()
            .map(ending -> word.substring(0, word.length() - ending.length()))
            .orElse(word);
    return SAME_WORDS.getOrDefault(stem, stem);
  }
}
