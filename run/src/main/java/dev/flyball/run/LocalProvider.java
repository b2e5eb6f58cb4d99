package dev.flyball.run;

import java.io.IOException;
import java.net.URI;

/** A provider on this machine, for runs that ask nobody else. */
@FunctionalInterface
public interface LocalProvider {
  /** The address of one that has the limits of an account; started if it is not there. */
  URI start(String account) throws IOException;

  /** For those who have none. */
  LocalProvider NONE =
      account -> {
        throw new IOException("there is none here");
      };
}
