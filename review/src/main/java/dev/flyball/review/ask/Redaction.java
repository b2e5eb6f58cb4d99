package dev.flyball.review.ask;

import dev.flyball.review.secret.Secrets;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes secrets out of what is sent, and counts them. */
public final class Redaction {
  private final AtomicInteger count = new AtomicInteger();

  /** A text with a note in the place of each. */
  String of(String text) {
    var hidden = Secrets.hide(text);
    count.addAndGet(hidden.count());
    return hidden.text();
  }

  /** How many there were. */
  public int count() {
    return count.get();
  }
}
