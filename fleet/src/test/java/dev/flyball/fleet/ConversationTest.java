package dev.flyball.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said over a way that loses messages. */
class ConversationTest {
  private static final long PATIENCE = 100;

  private final Conversation<String, String> here = new Conversation<>(PATIENCE);
  private final Conversation<String, String> there = new Conversation<>(PATIENCE);
  private final List<String> heard = new ArrayList<>();

  private void say(String... words) {
    for (var word : words) {
      here.say(word);
    }
  }

  @Test
  void what_is_lost_is_said_again_though_more_is_said_all_the_time() {
    say("a");
    here.part(0);
    for (int now = 50; now <= 200; now += 50) {
      say("at " + now);
      there.receive(here.part(now), now, heard::add);
    }
    assertThat(heard).containsExactly("a", "at 50", "at 100", "at 150", "at 200");
  }

  @Test
  void who_sees_that_something_was_lost_says_so_and_hears_it_at_once() {
    say("a");
    here.part(0);
    say("b");
    there.receive(here.part(1), 1, heard::add);
    assertThat(heard).isEmpty();
    assertThat(there.misses()).isTrue();
    here.receive(there.part(2), 2, word -> {});
    assertThat(here.wants(2)).isTrue();
    there.receive(here.part(2), 3, heard::add);
    assertThat(heard).containsExactly("a", "b");
    assertThat(there.misses()).isFalse();
  }

  @Test
  void what_was_lost_last_shows_by_the_number_of_nothing() {
    say("a");
    here.part(0);
    assertThat(here.waits()).isTrue();
    there.receive(here.part(1), 1, heard::add);
    assertThat(there.misses()).isTrue();
  }

  @Test
  void what_comes_before_its_turn_is_heard_in_turn() {
    say("a");
    var first = here.part(0);
    say("b");
    there.receive(here.part(1), 1, heard::add);
    there.receive(first, 2, heard::add);
    assertThat(heard).containsExactly("a", "b");
  }

  @Test
  void what_comes_twice_is_heard_once() {
    say("a", "b");
    var part = here.part(0);
    there.receive(part, 1, heard::add);
    there.receive(part, 2, heard::add);
    assertThat(heard).containsExactly("a", "b");
    assertThat(there.owes()).isTrue();
    here.receive(there.part(3), 4, word -> {});
    assertThat(here.wants(1000)).isFalse();
  }
}
