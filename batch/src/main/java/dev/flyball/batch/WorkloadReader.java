package dev.flyball.batch;

import dev.flyball.call.Cost;
import dev.flyball.call.LaneId;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.BadInput;
import dev.flyball.run.CostMeter;
import dev.flyball.run.Workload;
import dev.flyball.run.Workload.Planned;
import dev.flyball.run.Workload.Share;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** A reader of the open lines of a batch that counts what they will take. */
record WorkloadReader(
    FileChannel input, InputLine.Plain plain, TokenCounter tokens, CostMeter costs, Instant now) {
  private static final int MOST_CALLS = 20_000;

  /**
   * Reads and counts what is open.
   *
   * @param mostRead of more lines than these only some are read, and stand for the others
   * @param told how many lines have been read so far
   */
  Workload read(BatchPlan plan, long mostRead, LongConsumer told) throws IOException, BadInput {
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
          var line = InputLine.at(input, next.get(), plain);
          var planned = planned(line, route.keys.first().id());
          calls.add(planned);
          var name = planned.lane() + " " + planned.model() + " " + planned.embeds();
          var share = shares.computeIfAbsent(name, unseen -> first(planned, route));
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

  private Planned planned(InputLine line, LaneId lane) {
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
        Math.min(input, Math.round(input * part)),
        OptionalDouble.empty());
  }

  private Share first(Planned planned, Route route) {
    var price = costs.price(route.provider, planned.model(), now);
    return new Share(
        planned.lane(),
        route.style,
        route.provider,
        planned.model(),
        planned.part(),
        planned.embeds(),
        price,
        costs.unknown(route.provider, planned.model(), now),
        0,
        0,
        0,
        Optional.of(Cost.NOTHING));
  }

  /** A list that keeps every so-manieth of what comes, and fewer the more comes. */
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
