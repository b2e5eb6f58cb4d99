package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.llm.price.Price;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * What a run would ask: each model's share, and the calls themselves or, of very many, evenly
 * chosen ones.
 *
 * @param lines how many lines are open in all
 */
public record Workload(List<Share> shares, List<Planned> calls, long lines) {
  private static final int MOST_CALLS = 20_000;

  /**
   * What one model is asked.
   *
   * @param style how its provider counts
   * @param provider whose prices count
   * @param part of what it is asked, where there are several
   * @param price empty when it is not known, and {@code unpriced} says what to do
   * @param inputTokens of all its lines, as they are counted beforehand
   * @param mostOutput the sum of what the lines allow for their answers
   * @param mostCost the most it can cost if nothing is asked twice; empty when that is not known
   */
  public record Share(
      LaneId lane,
      String style,
      String provider,
      String model,
      String part,
      boolean embeds,
      Optional<Price> price,
      String unpriced,
      long lines,
      long inputTokens,
      long mostOutput,
      Optional<Cost> mostCost) {
    /** With one more of them. */
    public Share plus(Planned one, Optional<Cost> most) {
      return new Share(
          lane,
          style,
          provider,
          model,
          part,
          embeds,
          price,
          unpriced,
          lines + 1,
          inputTokens + one.input(),
          mostOutput + one.maxOutput().orElse(0),
          mostCost.flatMap(sum -> most.map(sum::plus)));
    }

    private Share times(double factor) {
      return new Share(
          lane,
          style,
          provider,
          model,
          part,
          embeds,
          price,
          unpriced,
          Math.round(lines * factor),
          Math.round(inputTokens * factor),
          Math.round(mostOutput * factor),
          mostCost.map(cost -> new Cost(Math.round(cost.micros() * factor))));
    }
  }

  /**
   * One line as far as its size matters.
   *
   * @param input tokens, to the best of what is known
   * @param plain what its characters alone suggest: the scale on which earlier runs were measured
   * @param expected how long its answer will be, where that is known
   * @param prefix names what it shares with others, for its provider to cache
   */
  public record Planned(
      LaneId lane,
      String model,
      String part,
      boolean embeds,
      long input,
      double plain,
      OptionalLong maxOutput,
      OptionalLong expected,
      Optional<String> prefix,
      long prefixTokens) {}

  /** What it takes to read lines and to know their size and price. */
  record Means(
      FileChannel input, InputLine.Plain plain, TokenCounter tokens, CostMeter bill, Instant now) {}

  /**
   * Reads and counts what is open.
   *
   * @param mostRead of more lines than these only some are read, and stand for the others
   * @param told how many lines have been read so far
   */
  static Workload read(BatchPlan plan, Means means, long mostRead, LongConsumer told)
      throws IOException, BadInput {
    long open = plan.total() - plan.answered() - plan.failed();
    long step = Math.max(1, Math.ceilDiv(open, mostRead));
    var shares = new LinkedHashMap<String, Share>();
    var calls = new Thinning();
    long seen = 0;
    long read = 0;
    for (int i = 0; i < plan.routes().size(); i++) {
      var route = plan.routes().get(i);
      var cursor = plan.cursor(i);
      for (var next = cursor.next(); next.isPresent(); next = cursor.next()) {
        if (seen++ % step == 0) {
          var line = InputLines.line(means.input(), next.get(), means.plain());
          var planned = planned(line, route.lanes.getFirst().id, means.tokens());
          calls.add(planned);
          var name = planned.lane() + " " + planned.model() + " " + planned.embeds();
          var share = shares.computeIfAbsent(name, unseen -> first(planned, route, means));
          shares.put(
              name, share.plus(planned, LineCall.most(line, planned.input(), share.price())));
          told.accept(++read);
        }
      }
    }
    double factor = read == 0 ? 1 : (double) seen / read;
    return new Workload(
        shares.values().stream().map(share -> share.times(factor)).toList(),
        List.copyOf(calls.kept),
        seen);
  }

  private static Planned planned(InputLine line, LaneId lane, TokenCounter tokens) {
    var prompt = line.prompt();
    var count = tokens.count(prompt);
    long input = count.tokens();
    boolean embeds = line.path().endsWith("/embeddings");
    int length = prompt.text().length();
    double part = length == 0 ? 0 : (double) prompt.prefixLength() / length;
    return new Planned(
        lane,
        prompt.model(),
        "",
        embeds,
        input,
        count.plain(),
        embeds ? OptionalLong.of(0) : prompt.maxOutput(),
        embeds ? OptionalLong.of(0) : OptionalLong.empty(),
        prompt.prefix(),
        Math.min(input, Math.round(input * part)));
  }

  private static Share first(Planned planned, Route route, Means means) {
    var price = means.bill().price(route.provider, planned.model(), means.now());
    return new Share(
        planned.lane(),
        route.style,
        route.provider,
        planned.model(),
        planned.part(),
        planned.embeds(),
        price,
        means.bill().unknown(route.provider, planned.model(), means.now()),
        0,
        0,
        0,
        Optional.of(Cost.NOTHING));
  }

  /** Keeps every so-manieth of what comes, and fewer the more comes. */
  private static final class Thinning {
    private List<Planned> kept = new ArrayList<>();
    private long every = 1;
    private long come;

    void add(Planned one) {
      if (come++ % every == 0) {
        kept.add(one);
        if (kept.size() >= 2 * MOST_CALLS) {
          var fewer = new ArrayList<Planned>();
          for (int i = 0; i < kept.size(); i += 2) {
            fewer.add(kept.get(i));
          }
          kept = fewer;
          every *= 2;
        }
      }
    }
  }
}
