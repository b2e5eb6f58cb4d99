package dev.flyball.fleet;

import dev.flyball.scheduler.SharedLimit;

/** The name of an attempt in a lane of one process. */
record AttemptKey(long number, int attempt) {
  static AttemptKey of(SharedLimit.SharedCall call) {
    return new AttemptKey(call.number(), call.attempt());
  }
}
