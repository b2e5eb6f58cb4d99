package dev.flyball.review.check;

import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Text that speaks to whoever reviews it, which is somebody's attempt to be judged by other rules
 * than everybody else. It is an order if it speaks of the review itself; what may be innocent, such
 * as the prompt of a product, is a remark. Some wordings are known, and not all that there are.
 */
public final class OrdersToReviewer {
  private static final double SURE = 0.85;
  private static final double UNSURE = 0.5;
  private static final int EXTENSION = 6;

  /** A phrase with the lines that it stands on. */
  private record Spoken(OrderPhrases.Force force, int line, int endLine, String words) {}

  private OrdersToReviewer() {}

  /**
   * All of them in some texts.
   *
   * @param change whether the texts are those of a change: an order that somebody slips into it is
   *     critical, and no remark in it suppresses that
   */
  public static List<Claim> in(Collection<SourceText> texts, boolean change) {
    var claims = new ArrayList<Claim>();
    for (var text : texts) {
      for (var spoken : in(text)) {
        var place = Place.lines(text, spoken.line, spoken.endLine);
        claims.add(claim(spoken.force, place, spoken.words, change));
      }
    }
    return claims;
  }

  /** One in a text that has no lines of its own, such as the name of a file. */
  static Optional<Claim> inName(String name, Place place, boolean change) {
    var best = new ArrayList<Spoken>();
    var reader =
        new SentenceReader(
            OrderPhrases.KNOWN,
            sentence ->
                OrderPhrases.KNOWN
                    .in(sentence)
                    .filter(hit -> hit.force() == OrderPhrases.Force.GATE)
                    .ifPresent(hit -> best.add(spoken(sentence, hit))));
    // What an extension says is not said to anybody.
    int dot = name.lastIndexOf('.');
    var said = dot > 0 && name.length() - dot <= EXTENSION ? name.substring(0, dot) : name;
    said.lines().forEach(reader::name);
    reader.name(said.replace('/', ' ').replace('-', ' '));
    return best.stream().findFirst().map(it -> claim(it.force, place, it.words, change));
  }

  /** Whether a claim is one that no remark suppresses. */
  static boolean isLasting(Claim claim) {
    return claim.rule().equals(Rulebook.ORDERS) && claim.severity() == Severity.CRITICAL;
  }

  private static Collection<Spoken> in(SourceText text) {
    Map<Integer, Spoken> byLine = new TreeMap<>();
    var reader =
        new SentenceReader(
            OrderPhrases.KNOWN,
            sentence ->
                OrderPhrases.KNOWN
                    .in(sentence)
                    .map(hit -> spoken(sentence, hit))
                    .ifPresent(it -> byLine.merge(it.line, it, OrdersToReviewer::graver)));
    for (int i = 1; i <= text.lines(); i++) {
      reader.line(text.line(i), i);
    }
    reader.end();
    return byLine.values();
  }

  private static Spoken graver(Spoken one, Spoken other) {
    return other.force.compareTo(one.force) > 0 ? other : one;
  }

  private static Spoken spoken(Sentence sentence, OrderPhrases.Hit hit) {
    return new Spoken(
        hit.force(),
        sentence.line(hit.first()),
        sentence.line(hit.last()),
        sentence.text(hit.first(), hit.last()));
  }

  private static Claim claim(OrderPhrases.Force force, Place place, String words, boolean change) {
    boolean gate = force == OrderPhrases.Force.GATE;
    var claim =
        Rulebook.claim(
            gate ? Rulebook.ORDERS : Rulebook.ADDRESSED,
            place,
            "",
            words,
            "text",
            gate ? SURE : UNSURE);
    return gate && change ? claim.as(Severity.CRITICAL) : claim;
  }
}
