package dev.flyball.call;

/**
 * The way to try a call once. May run again, each time with a fresh attempt; never retries itself.
 *
 * @param <T> what an answer is
 */
@FunctionalInterface
public interface Work<T> {
  /**
   * Sends one request and waits for what came back. It may block, and should heed interrupts: a
   * call's deadline interrupts it. Whatever it throws ends the call, except an {@link
   * java.io.IOException}, which is a {@link Reply.Broken} that may have been billed.
   *
   * @param attempt to be told what the response headers said
   * @return what came back
   * @throws java.io.IOException if the connection broke
   * @throws InterruptedException if it was interrupted
   */
  Reply<T> attempt(Attempt attempt) throws java.io.IOException, InterruptedException;
}
