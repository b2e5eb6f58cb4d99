package dev.flyball.review.check;

import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.CheckRule;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The rules of all checks without a model, and what each means to us. */
public final class Rulebook {
  /** The lens that the checks without a model are. */
  public static final String LENS = "static";

  static final String DUPLICATE_CODE = "duplicate-code";
  static final String UNUSED_SYMBOL = "unused-symbol";
  static final String ADDRESSED = "addressed-to-reviewer";
  static final String ORDERS = "orders-to-reviewer";
  static final String LINK = "link-change";
  static final String SUBMODULE = "submodule-change";
  static final String OWN_FOLDER = "flyball-folder-change";
  static final String HIDDEN = "hidden-characters";
  static final String SECRET = "secret";

  private static final Map<String, CheckRule> RULES = read();

  private Rulebook() {}

  /** By id. */
  public static Map<String, CheckRule> rules() {
    return RULES;
  }

  static Claim claim(
      String rule, Place place, String message, String evidence, String source, double confidence) {
    var broken = Objects.requireNonNull(RULES.get(rule), () -> "rules.txt does not know " + rule);
    return new Claim(
        rule,
        place,
        broken.severity(),
        broken.category(),
        List.of(LENS),
        broken.title(),
        message.isEmpty() ? broken.message() : Secrets.hidden(message) + " " + broken.message(),
        Optional.of(broken.advice()),
        Optional.of(Secrets.hidden(evidence)),
        List.of(source),
        confidence);
  }

  private static Map<String, CheckRule> read() {
    try (var in = Rulebook.class.getResourceAsStream("rules.txt")) {
      var text =
          new String(
              Objects.requireNonNull(in, "rules.txt is missing").readAllBytes(),
              StandardCharsets.UTF_8);
      Map<String, CheckRule> rules = new LinkedHashMap<>();
      text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Rulebook::rule)
          .forEach(rule -> rules.put(rule.id(), rule));
      return Map.copyOf(rules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CheckRule rule(String line) {
    var fields = line.split(" \\| ", -1);
    if (fields.length != 6) {
      throw new IllegalStateException("a rule has six fields, but was: " + line);
    }
    return new CheckRule(
        fields[0],
        Severity.of(fields[1]).orElseThrow(),
        Category.of(fields[2]),
        fields[3],
        fields[4],
        fields[5]);
  }
}
