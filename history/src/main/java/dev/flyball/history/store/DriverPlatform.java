package dev.flyball.history.store;

import org.sqlite.util.OSInfo;

/**
 * The look of SQLite's driver at the system that it is on. To tell Android from Linux it would
 * start a program from the PATH; without one to start programs by, it takes the answer to be no.
 */
final class DriverPlatform extends OSInfo {
  private DriverPlatform() {}

  /** To be called before the driver is used. A 32-bit ARM has to be asked what it is. */
  static void startNothing() {
    if (!System.getProperty("os.arch", "").startsWith("arm")) {
      processRunner = null;
    }
  }
}
