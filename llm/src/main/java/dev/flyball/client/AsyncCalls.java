package dev.flyball.client;

import dev.flyball.call.Attempt;
import dev.flyball.call.Call;
import dev.flyball.call.Outcome;
import dev.flyball.call.Reply;
import dev.flyball.scheduler.Admission;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.NextStep;
import dev.flyball.scheduler.Waiter;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Calls for event loops: no thread waits while a call waits. Waiting, retries and limits are the
 * scheduler's; this only makes the attempts.
 */
public final class AsyncCalls {
  /**
   * The way to try a call once without blocking.
   *
   * @param <T> what an answer is
   */
  @FunctionalInterface
  public interface AsyncWork<T> {
    /** Begins an attempt; a future that fails is a broken attempt, which may be tried again. */
    CompletionStage<Reply<T>> attempt(Attempt attempt);
  }

  private final Flyball flyball;
  private final Executor executor;

  /**
   * Calls of a scheduler.
   *
   * @param executor begins attempts; it is told by threads that must not block
   */
  public AsyncCalls(Flyball flyball, Executor executor) {
    this.flyball = flyball;
    this.executor = executor;
  }

  /**
   * Runs a call to its end. Cancelling the future takes a waiting call back; an attempt in flight
   * ends by itself.
   *
   * @param <T> what an answer is
   * @return how it ended; never fails, except by cancellation or an error in the work
   */
  public <T> CompletableFuture<Outcome<T>> run(Call call, AsyncWork<T> work) {
    var running = new Running<>(work);
    running.enter(call);
    return running.outcome;
  }

  /** One call on its way. */
  private final class Running<T> {
    private final AsyncWork<T> work;
    private final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
    private final AtomicReference<@Nullable Waiter<T>> place = new AtomicReference<>();

    Running(AsyncWork<T> work) {
      this.work = work;
    }

    void enter(Call call) {
      Waiter<T> waiter = flyball.enter(call, this::woken);
      place.set(waiter);
      var unused =
          outcome.whenComplete(
              (ended, failed) -> {
                if (failed instanceof CancellationException) {
                  waiter.withdraw();
                }
              });
      woken();
    }

    private void woken() {
      executor.execute(this::look);
    }

    /** Each admission is taken once, whoever comes first. */
    private void look() {
      var waiter = place.get();
      if (waiter == null || outcome.isDone()) {
        return;
      }
      switch (waiter.admission()) {
        case Admission.Wait<T> notYet -> {}
        case Admission.Refused<T>(var refused) -> outcome.complete(refused);
        case Admission.Granted<T>(var permit) -> {
          if (place.compareAndSet(waiter, null)) {
            attempt(waiter, permit);
          }
        }
      }
    }

    private void attempt(Waiter<T> waiter, dev.flyball.scheduler.Permit<T> permit) {
      CompletionStage<Reply<T>> stage;
      try {
        stage = work.attempt(permit);
      } catch (RuntimeException | Error defect) {
        permit.close();
        outcome.completeExceptionally(defect);
        return;
      }
      stage.whenComplete(
          (reply, failed) -> {
            NextStep<T> next =
                permit.settle(failed == null ? reply : new Reply.Broken<>(message(failed), true));
            switch (next) {
              case NextStep.Ended<T>(var ended) -> outcome.complete(ended);
              case NextStep.Again<T> again -> {
                place.set(waiter);
                woken();
              }
            }
          });
    }
  }

  private static String message(Throwable failed) {
    var cause =
        failed instanceof CompletionException && failed.getCause() != null
            ? failed.getCause()
            : failed;
    return String.valueOf(cause.getMessage() == null ? cause : cause.getMessage());
  }
}
