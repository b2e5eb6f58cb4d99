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
