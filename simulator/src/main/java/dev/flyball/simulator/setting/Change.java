package dev.flyball.simulator.setting;

import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.Rate;
import dev.flyball.simulator.value.OptionText;
import java.time.Duration;
import java.util.List;

/** A limit that becomes another one while the provider runs. */
public record Change(Duration at, Rate rate) {
  /** Whether it means this limit: the one with its period, and if none has it, all of its kind. */
  public boolean concerns(Limit limit, List<Limit> all) {
    return limit.dimension() == rate.dimension()
        && (limit.period().equals(rate.period())
            || all.stream()
                .filter(each -> each.dimension() == rate.dimension())
                .noneMatch(each -> each.period().equals(rate.period())));
  }

  /** Reads {@code 30s:requests=300/min}. */
  public static Change parse(String text) {
    String[] sides = text.split(":", 2);
    OptionText.check(sides.length == 2, "a change is written 30s:requests=300/min", text);
    return new Change(OptionText.duration(sides[0]), Rate.parse(sides[1]));
  }
}
