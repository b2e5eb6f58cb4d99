package dev.flyball.simulator.setting;

import dev.flyball.simulator.limit.Acceleration;
import dev.flyball.simulator.limit.Dimension;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.limit.Rate;
import dev.flyball.simulator.value.OptionText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The behaviour of a simulator: a profile, and what differs from it. */
public final class Settings {
  private Profile profile;
  private final List<Rate> limits = new ArrayList<>();
  private final Map<Dimension, Long> bursts = new EnumMap<>(Dimension.class);
  private final List<Fault> faults = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private @Nullable Latency latency;
  private Headers headers;
  private Answers answers = Answers.echo();
  private long seed = 1;
  private double foreign;
  private double estimateError;
  private Acceleration.@Nullable Rule acceleration;
  private Profile.@Nullable Spend spend;
  private int ledger = 200_000;
  private int speed = 1;
  private boolean keysShareOrganization;

  private Settings(Profile profile) {
    this.profile = profile;
    this.spend = profile.spend().orElse(null);
    this.headers = headersOf(profile);
  }

  private Settings(Settings other) {
    this.profile = other.profile;
    this.limits.addAll(other.limits);
    this.bursts.putAll(other.bursts);
    this.faults.addAll(other.faults);
    this.changes.addAll(other.changes);
    this.latency = other.latency;
    this.headers = other.headers;
    this.answers = other.answers;
    this.seed = other.seed;
    this.foreign = other.foreign;
    this.estimateError = other.estimateError;
    this.acceleration = other.acceleration;
    this.spend = other.spend;
    this.ledger = other.ledger;
    this.speed = other.speed;
    this.keysShareOrganization = other.keysShareOrganization;
  }

  /** The same, to be changed apart. */
  public Settings copy() {
    return new Settings(this);
  }

  /** Those of the profile with this name. */
  public static Settings of(String profile) {
    return new Settings(Profiles.get(profile));
  }

  private static Headers headersOf(Profile profile) {
    return profile.name().equals("headerless") ? Headers.parse("none") : Headers.FULL;
  }

  /** Replaces what the profile says of this dimension; said again, it adds another period. */
  public Settings limit(Rate rate) {
    limits.removeIf(
        each -> each.dimension() == rate.dimension() && each.period().equals(rate.period()));
    limits.add(rate);
    return this;
  }

  public Settings limit(String rate) {
    return limit(Rate.parse(rate));
  }

  /** How much of a dimension fits at once. */
  public Settings burst(Dimension dimension, long most) {
    OptionText.check(most >= 1, "a burst is at least 1", most);
    bursts.put(dimension, most);
    return this;
  }

  /** Reads {@code requests=10}. */
  public Settings burst(String text) {
    String[] sides = text.split("=", 2);
    OptionText.check(sides.length == 2, "a burst is written requests=10", text);
    return burst(Dimension.of(sides[0].strip()), OptionText.whole(sides[1]));
  }

  public Settings latency(Latency other) {
    latency = other;
    return this;
  }

  public Settings headers(Headers other) {
    headers = other;
    return this;
  }

  public Settings fault(Fault fault) {
    faults.add(fault);
    return this;
  }

  public Settings fault(String fault) {
    return fault(Fault.parse(fault));
  }

  public Settings change(Change change) {
    changes.add(change);
    return this;
  }

  public Settings answers(Answers other) {
    answers = other;
    return this;
  }

  public Settings seed(long other) {
    seed = other;
    return this;
  }

  /** Somebody else uses this share of every limit. */
  public Settings foreign(double share) {
    OptionText.check(share >= 0 && share <= 1, "a share is from 0 to 1", share);
    foreign = share;
    return this;
  }

  /** How far the count of input on admission may be off, as a share of the truth. */
  public Settings estimateError(double share) {
    OptionText.check(share >= 0 && share < 1, "an error is from 0 to 1", share);
    estimateError = share;
    return this;
  }

  /** Above so many tokens a minute, use may grow by this factor in a quarter of an hour. */
  public Settings acceleration(long floor, double growth) {
    OptionText.check(floor >= 1, "acceleration is watched from 1 token a minute on", floor);
    acceleration = new Acceleration.Rule(floor, growth);
    return this;
  }

  /** What may be spent, in dollars, at three dollars a million tokens in and fifteen out. */
  public Settings spendCap(double dollars) {
    OptionText.check(
        dollars >= 0 && dollars <= 1e9, "a spend cap is from 0 to 1000000000", dollars);
    spend =
        profile
            .spend()
            .map(s -> new Profile.Spend(Math.round(dollars * 1e9), s.perInput(), s.perOutput()))
            .orElse(new Profile.Spend(Math.round(dollars * 1e9), 3_000, 15_000));
    return this;
  }

  /** How many lines the ledger keeps. */
  public Settings ledger(int lines) {
    OptionText.check(lines >= 0, "a number of lines is 0 or more", lines);
    ledger = lines;
    return this;
  }

  /** How much faster than the real one the provider's clock goes: limits, latencies, the cache. */
  public Settings speed(int times) {
    OptionText.check(times >= 1 && times <= 200, "a speed is from 1 to 200", times);
    speed = times;
    return this;
  }

  /** All keys are of one organisation, and use the same limits. */
  public Settings keysShareOrganization(boolean share) {
    keysShareOrganization = share;
    return this;
  }

  /** Forgets what was said of an option that can be said more than once. */
  public void clear(String option) {
    switch (option) {
      case "limit" -> limits.clear();
      case "burst" -> bursts.clear();
      case "fault" -> faults.clear();
      case "change" -> changes.clear();
      default -> {}
    }
  }

  /**
   * What can only be seen when all is said.
   *
   * @throws IllegalArgumentException if something is changed that there is not
   */
  public Settings checked() {
    for (Change change : changes) {
      OptionText.check(
          profile.classes().stream()
              .flatMap(models -> limitsOf(models).stream())
              .anyMatch(limit -> limit.dimension() == change.rate().dimension()),
          "a change is of something that is limited, by the profile or by --limit",
          change.rate().dimension().word());
    }
    return this;
  }

  public Profile profile() {
    return profile;
  }

  public void profile(Profile other) {
    profile = other;
    spend = other.spend().orElse(null);
    headers = headersOf(other);
    latency = null;
    limits.clear();
    bursts.clear();
  }

  /** The limits of a class of models, with what differs from the profile. */
  public List<Limit> limitsOf(Profile.ModelClass models) {
    List<Limit> result = new ArrayList<>();
    for (Dimension dimension : Dimension.values()) {
      List<Limit> usual =
          models.limits().stream().filter(limit -> limit.dimension() == dimension).toList();
      List<Rate> rates = limits.stream().filter(rate -> rate.dimension() == dimension).toList();
      if (rates.isEmpty()) {
        usual.forEach(limit -> result.add(bursting(limit)));
      }
      for (Rate rate : rates) {
        result.add(bursting(usual.isEmpty() ? Limit.of(rate) : usual.getFirst().at(rate)));
      }
    }
    return result;
  }

  private Limit bursting(Limit limit) {
    Long most = bursts.get(limit.dimension());
    return most == null ? limit : limit.bursting(most);
  }

  /** A limit as it is after a change. */
  public Limit changed(Limit before, Rate rate) {
    return bursting(before.changedTo(rate));
  }

  /** The limits of a class of models at some moment. */
  public List<Limit> limitsOf(Profile.ModelClass models, long now) {
    List<Limit> result = limitsOf(models);
    for (Change change : changesInOrder()) {
      List<Limit> before = List.copyOf(result);
      if (OptionText.micros(change.at()) <= now) {
        result.replaceAll(
            limit -> change.concerns(limit, before) ? changed(limit, change.rate()) : limit);
      }
    }
    return result;
  }

  public List<Fault> faults() {
    return faults;
  }

  public List<Change> changesInOrder() {
    return changes.stream().sorted(Comparator.comparing(Change::at)).toList();
  }

  public Latency latency() {
    return latency == null ? profile.latency() : latency;
  }

  public Headers headers() {
    return headers;
  }

  public Answers answers() {
    return answers;
  }

  public long seed() {
    return seed;
  }

  public double foreign() {
    return foreign;
  }

  public double estimateError() {
    return estimateError;
  }

  public Optional<Acceleration.Rule> acceleration() {
    return Optional.ofNullable(acceleration);
  }

  public Optional<Profile.Spend> spend() {
    return Optional.ofNullable(spend);
  }

  public int ledger() {
    return ledger;
  }

  public int speed() {
    return speed;
  }

  public boolean keysShareOrganization() {
    return keysShareOrganization;
  }
}
