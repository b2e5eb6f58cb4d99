package dev.flyball.cli.screen;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** The size of this process's terminal, measured again whenever its window has changed. */
final class WindowSize implements Supplier<ScreenSize> {
  private static final AtomicReference<Optional<WindowSize>> ONLY =
      new AtomicReference<>(Optional.empty());

  private final AtomicBoolean changed = new AtomicBoolean(true);
  private volatile ScreenSize size;

  private WindowSize(ScreenSize size) {
    this.size = size;
  }

  /** The one there is: a process has one terminal, and hears of its changes once. */
  static WindowSize of(Map<String, String> environment) {
    var known = ONLY.get();
    if (known.isPresent()) {
      return known.get();
    }
    var made = new WindowSize(ScreenSize.said(environment));
    if (!ONLY.compareAndSet(known, Optional.of(made))) {
      return ONLY.get().orElseThrow();
    }
    HeardSignal.of("WINCH", () -> made.changed.set(true));
    return made;
  }

  @Override
  public ScreenSize get() {
    if (changed.getAndSet(false)) {
      ScreenSize.measured().ifPresent(now -> size = now);
    }
    return size;
  }
}
