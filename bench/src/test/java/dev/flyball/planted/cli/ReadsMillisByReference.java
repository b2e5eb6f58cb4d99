package dev.flyball.planted.cli;

import java.util.function.LongSupplier;

/** Hands the clock to somebody else. */
public final class ReadsMillisByReference {
  LongSupplier clock() {
    return System::currentTimeMillis;
  }
}
