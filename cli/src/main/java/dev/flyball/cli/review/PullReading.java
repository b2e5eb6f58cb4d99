package dev.flyball.cli.review;

import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.PullRequest;

/**
 * What came of reading a pull request, before anything else is: its base says what configures the
 * command.
 */
public sealed interface PullReading {
  /** It was read. */
  record Read(PullRequest pull) implements PullReading {}

  /** It was not, so that nothing else is done. */
  record Failed(HostTrouble trouble) implements PullReading {}
}
