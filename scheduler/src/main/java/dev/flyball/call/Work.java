package dev.flyball.call;

/** How to try a call once. May run again, each time with a fresh attempt; never retries itself. */
@FunctionalInterface
public interface Work<T> {
  /**
   * Sends one request and waits for what came back. Whatever it throws ends the call, except an
   * {@link java.io.IOException}, which is a {@link Reply.Broken}.
   */
  Reply<T> attempt(Attempt attempt) throws java.io.IOException, InterruptedException;
}
