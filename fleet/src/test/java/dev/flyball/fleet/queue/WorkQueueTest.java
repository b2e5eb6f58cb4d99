package dev.flyball.fleet.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each script of the queue on a real Redis. */
class WorkQueueTest {
  private static LocalRedis redis;

  private WorkQueue queue;
  private String name;

  @BeforeAll
  static void start() throws IOException {
    redis = new LocalRedis();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void open() throws IOException {
    name = "q-" + UUID.randomUUID();
    queue = WorkQueue.open(redis.place, name, QueueRules.USUAL);
  }

  @AfterEach
  void close() {
    queue.close();
  }

  private static NewEntry entry(String key) {
    return entry(key, Duration.ofMinutes(1));
  }

  private static NewEntry entry(String key, Duration patience) {
    return new NewEntry(key, "test", "digest", patience, "out.jsonl", "do " + key);
  }

  private static List<NewEntry> entries(int count) {
    return IntStream.range(0, count).mapToObj(i -> entry("k" + i)).toList();
  }

  private static WorkQueue.Asking asking(String worker) {
    return new WorkQueue.Asking(worker, "token of " + worker, 0, 1, Optional.empty());
  }

  private List<ClaimedEntry> claim(String worker, int most) throws IOException {
    return queue.claim(asking(worker), most).entries();
  }

  private static List<String> keys(List<ClaimedEntry> entries) {
    return entries.stream().map(ClaimedEntry::key).toList();
  }

  private WorkQueue.Settled settle(String worker, ClaimedEntry entry, EntryEnd end)
      throws IOException {
    return queue.settle("token of " + worker, entry.id(), end);
  }

  @Test
  void what_is_added_is_given_out_by_patience_and_age() throws IOException {
    queue.add(
        List.of(
            entry("bulk", Duration.ofHours(1)),
            entry("normal 1"),
            entry("normal 2"),
            entry("urgent", Duration.ZERO),
            entry("normal 3")),
        false);
    assertThat(keys(claim("a", 10)))
        .containsExactly("urgent", "normal 1", "normal 2", "normal 3", "bulk");
  }

  @Test
  void the_patient_are_overtaken_only_by_what_comes_less_than_their_patience_later()
      throws Exception {
    queue.add(List.of(entry("patient", Duration.ofMillis(40))), false);
    queue.add(List.of(entry("soon", Duration.ZERO)), false);
    assertThat(keys(claim("a", 1))).containsExactly("soon");
    var until = System.nanoTime() + Duration.ofMillis(60).toNanos();
    while (System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    queue.add(List.of(entry("late", Duration.ZERO)), false);
    assertThat(keys(claim("a", 2))).containsExactly("patient", "late");
  }

  @Test
  void a_key_is_there_once_and_what_was_done_is_not_done_again() throws IOException {
    assertThat(queue.add(List.of(entry("a"), entry("b"), entry("a")), false))
        .extracting(AddedEntries::added, AddedEntries::known)
        .containsExactly(2L, 1L);
    var claimed = claim("w", 1).getFirst();
    assertThat(queue.add(List.of(entry("a")), false).known()).as("being worked on").isEqualTo(1);
    assertThat(settle("w", claimed, new EntryEnd.Finished())).isEqualTo(WorkQueue.Settled.DONE);
    var again = queue.add(List.of(entry("a"), entry("b")), false);
    assertThat(again.done()).isEqualTo(1);
    assertThat(again.known()).isEqualTo(1);
    assertThat(again.added()).isZero();
    assertThat(queue.add(List.of(entry("a")), true).added()).as("asked for again").isEqualTo(1);
    var other =
        new NewEntry("b", "test", "another digest", Duration.ZERO, "out.jsonl", "do something");
    assertThat(queue.add(List.of(other), false))
        .extracting(AddedEntries::changed, AddedEntries::changedKey)
        .containsExactly(1L, Optional.of("b"));
  }

  @Test
  void a_full_queue_refuses_and_says_when_to_come_again() throws IOException {
    try (var small = WorkQueue.open(redis.place, name, QueueRules.USUAL.most(600))) {
      var added = small.add(entries(1_000), false);
      assertThat(added.added()).isEqualTo(600);
      assertThat(added.refused()).isEqualTo(400);
      assertThat(added.retryAfter()).as("nothing has ended yet").contains(Duration.ofMinutes(1));
      assertThat(added.held()).isEqualTo(600);
      for (var each : small.claim(asking("w"), 100).entries()) {
        settle("w", each, new EntryEnd.Finished());
      }
      var more = small.add(entries(1_000), false);
      assertThat(more.added()).isEqualTo(100);
      assertThat(more.done()).isEqualTo(100);
      // A hundred ended in the last five minutes, and 300 are to come.
      assertThat(more.refused()).isEqualTo(300);
      assertThat(more.retryAfter().orElseThrow())
          .isBetween(Duration.ofMinutes(12 - 1), Duration.ofMinutes(15));
    }
  }

  @Test
  void an_entry_has_one_worker_and_only_that_ends_it() throws IOException {
    queue.add(entries(2), false);
    var first = claim("a", 1).getFirst();
    var second = claim("b", 5);
    assertThat(second).hasSize(1);
    assertThat(claim("c", 5)).isEmpty();
    assertThat(settle("b", first, new EntryEnd.Finished())).isEqualTo(WorkQueue.Settled.LOST);
    assertThat(settle("a", first, new EntryEnd.Finished())).isEqualTo(WorkQueue.Settled.DONE);
    assertThat(settle("a", first, new EntryEnd.Finished())).isEqualTo(WorkQueue.Settled.LOST);
    assertThat(queue.figures().claimed()).isEqualTo(1);
  }

  @Test
  void a_lease_that_is_not_extended_ends_and_the_entry_has_its_old_place() throws IOException {
    try (var quick =
        WorkQueue.open(redis.place, name, QueueRules.USUAL.lease(Duration.ofMillis(100)))) {
      quick.add(entries(2), false);
      var mine = quick.claim(asking("a"), 2).entries();
      var kept = mine.get(1);
      var lost = mine.get(0);
      List<ClaimedEntry> given = new ArrayList<>();
      while (given.isEmpty()) {
        assertThat(quick.extend("token of a", List.of(kept.id()))).isEmpty();
        given.addAll(quick.claim(asking("b"), 1).entries());
      }
      assertThat(given.getFirst().key()).isEqualTo(lost.key());
      assertThat(given.getFirst().tries()).isEqualTo(2);
      assertThat(quick.extend("token of a", List.of(kept.id(), lost.id())))
          .containsExactly(lost.id());
      assertThat(settle("a", lost, new EntryEnd.Finished())).isEqualTo(WorkQueue.Settled.LOST);
      assertThat(quick.figures().totals().lost()).isEqualTo(1);
    }
  }

  @Test
  void what_loses_its_worker_too_often_is_a_dead_letter_that_says_so() throws IOException {
    try (var quick =
        WorkQueue.open(
            redis.place, name, QueueRules.USUAL.lease(Duration.ofMillis(100)).tries(2))) {
      quick.add(entries(1), false);
      while (quick.look(Shelf.DEAD, 0, 10).isEmpty()) {
        quick.claim(asking("host, process 7"), 1);
      }
      var letter = quick.look(Shelf.DEAD, 0, 10).getFirst();
      assertThat(letter.why()).contains("the worker host, process 7 was lost, at try 2 of 2");
      assertThat(letter.key()).isEqualTo("k0");
      assertThat(letter.output()).isEqualTo("out.jsonl");
    }
  }

  @Test
  void what_failed_waits_and_after_its_last_try_is_a_dead_letter() throws IOException {
    try (var twice = WorkQueue.open(redis.place, name, QueueRules.USUAL.tries(2))) {
      twice.add(entries(1), false);
      var first = twice.claim(asking("w"), 1).entries().getFirst();
      var later = new EntryEnd.TryLater("the provider gave no answer", Duration.ofMinutes(10));
      assertThat(twice.settle("token of w", first.id(), later)).isEqualTo(WorkQueue.Settled.LATER);
      var waits = twice.claim(asking("w"), 1);
      assertThat(waits.entries()).isEmpty();
      assertThat(waits.next().orElseThrow())
          .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
      var listed = twice.look(Shelf.LATER, 0, 10).getFirst();
      assertThat(listed.why()).contains("the provider gave no answer");
      assertThat(listed.until().orElseThrow())
          .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
      assertThat(twice.retry(List.of("k0")).moved()).as("now, with all tries").isEqualTo(1);
      for (int attempt = 1; attempt <= 2; attempt++) {
        var again = twice.claim(asking("w"), 1).entries().getFirst();
        assertThat(again.tries()).isEqualTo(attempt);
        var end = new EntryEnd.TryLater("still no answer", Duration.ZERO);
        assertThat(twice.settle("token of w", again.id(), end))
            .isEqualTo(attempt == 1 ? WorkQueue.Settled.LATER : WorkQueue.Settled.DEAD);
      }
      assertThat(twice.look(Shelf.DEAD, 0, 10).getFirst().why()).contains("still no answer");
    }
  }

  @Test
  void what_was_given_back_has_lost_no_try() throws IOException {
    queue.add(entries(2), false);
    var first = claim("w", 1).getFirst();
    assertThat(settle("w", first, new EntryEnd.GivenBack())).isEqualTo(WorkQueue.Settled.READY);
    var again = claim("w", 1).getFirst();
    assertThat(again.key()).isEqualTo("k0");
    assertThat(again.tries()).isEqualTo(1);
  }

  @Test
  void dead_letters_are_sent_again_or_dropped_and_what_is_worked_on_is_left_alone()
      throws IOException {
    queue.add(entries(5), false);
    var claimed = claim("w", 3);
    for (var each : claimed.subList(0, 2)) {
      settle("w", each, new EntryEnd.Hopeless("no such file"));
    }
    assertThat(queue.add(entries(1), false).dead()).isEqualTo(1);
    var moved = queue.retry(List.of("k0", "k2", "k9"));
    assertThat(moved).isEqualTo(new WorkQueue.Moved(1, 1, 1));
    assertThat(queue.drop(List.of("k2", "k3"))).isEqualTo(new WorkQueue.Moved(1, 1, 0));
    assertThat(queue.drop(Shelf.DEAD).moved()).isEqualTo(1);
    assertThat(queue.add(List.of(entry("k3")), false).added())
        .as("it is not known any more")
        .isOne();
    assertThat(keys(claim("w", 10))).containsExactlyInAnyOrder("k0", "k4", "k3");
    assertThat(queue.figures().totals()).isEqualTo(new QueueFigures.Totals(6, 0, 0, 0, 2, 2));
  }

  @Test
  void a_worker_is_paused_below_a_fifth_and_goes_on_above_two_fifths() throws IOException {
    queue.add(entries(10), false);
    var answers = new ArrayList<String>();
    for (double full : new double[] {0.5, 0.21, 0.19, 0.3, 0.39, 0.41, 0.25, 0.1}) {
      var given = queue.claim(new WorkQueue.Asking("w", "t", 1, 4, Optional.of(full)), 1);
      answers.add((given.paused() ? "paused" : "given") + given.entries().size());
    }
    assertThat(answers)
        .containsExactly(
            "given1", "given1", "paused0", "paused0", "paused0", "given1", "given1", "paused0");
    assertThat(queue.claim(new WorkQueue.Asking("w", "t", 1, 4, Optional.of(0.1)), 1).ready())
        .as("it knows that there is more")
        .isEqualTo(6);
    var seen = queue.figures().workers().getFirst();
    assertThat(seen.headroom()).contains(0.1);
    assertThat(seen.paused()).isPresent();
    assertThat(queue.claim(asking("another"), 1).entries()).as("its limits are its own").hasSize(1);
  }

  @Test
  void figures_show_what_came_and_went() throws IOException {
    queue.add(entries(4), false);
    var claimed = claim("w", 3);
    settle("w", claimed.get(0), new EntryEnd.Finished());
    settle("w", claimed.get(1), new EntryEnd.Hopeless("never"));
    var figures = queue.figures();
    assertThat(figures.ready()).isEqualTo(1);
    assertThat(figures.claimed()).isEqualTo(1);
    assertThat(figures.dead()).isEqualTo(1);
    assertThat(figures.done()).isEqualTo(1);
    assertThat(figures.totals()).isEqualTo(new QueueFigures.Totals(4, 1, 0, 0, 1, 0));
    assertThat(figures.minutes().stream().mapToLong(QueueFigures.Minute::added).sum()).isEqualTo(4);
    assertThat(figures.minutes().stream().mapToLong(QueueFigures.Minute::ended).sum()).isEqualTo(2);
    assertThat(figures.flow().perSecond()).isPositive();
    assertThat(figures.flow().inSystem()).isPresent();
    assertThat(figures.next()).isPresent();
  }

  @Test
  void every_script_is_run_though_the_server_has_forgotten_them_all() throws IOException {
    Set<String> all = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      forget();
      queue.add(List.of(entry("r" + round)), false);
      forget();
      var mine = claim("w", 1).getFirst();
      all.add(mine.key());
      forget();
      assertThat(queue.extend("token of w", List.of(mine.id()))).isEmpty();
      forget();
      settle("w", mine, new EntryEnd.Hopeless("why not"));
      forget();
      assertThat(queue.look(Shelf.DEAD, 0, 5)).hasSize(1);
      forget();
      assertThat(queue.figures().dead()).isEqualTo(1);
      forget();
      assertThat(queue.drop(Shelf.DEAD).moved()).isEqualTo(1);
    }
    assertThat(all).containsExactlyInAnyOrder("r0", "r1");
  }

  private static void forget() {
    redis.forgetScripts();
  }

  @Test
  void keys_carry_a_version_a_hash_tag_and_no_content() throws IOException {
    queue.add(List.of(entry("a")), false);
    var mine = claim("w", 1).getFirst();
    settle("w", mine, new EntryEnd.Finished());
    queue.add(List.of(entry("b")), false);
    claim("w", 1);
    var found = (List<?>) redis.say("KEYS", "*" + name + "*");
    assertThat(found)
        .isNotEmpty()
        .allSatisfy(
            key ->
                assertThat(String.valueOf(key))
                    .matches("flyball:1:\\{flyball}:queue:" + name + ":[a-z]+"));
    for (var kept : List.of("minutes", "workers")) {
      assertThat((Long) redis.say("TTL", "flyball:1:{flyball}:queue:" + name + ":" + kept))
          .as(kept)
          .isPositive();
    }
  }

  @Test
  void names_and_rules_that_cannot_be_are_refused() {
    assertThatThrownBy(() -> WorkQueue.checked("a b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("letters, digits");
    assertThatThrownBy(() -> QueueRules.USUAL.most(0)).hasMessageContaining("not for 0");
    assertThatThrownBy(() -> QueueRules.USUAL.tries(0)).hasMessageContaining("at least once");
    assertThatThrownBy(() -> entry(" ")).hasMessageContaining("1 to 1,000 letters");
  }
}
