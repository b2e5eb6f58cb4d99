package dev.flyball.run.file;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * The simulated providers that this user runs on this machine, each a file named after its port.
 * What is sent to one of them costs nothing, whatever it is called by.
 */
public final class RunningSimulators {
  private static final Set<String> HERE = Set.of("127.0.0.1", "localhost");

  private final StateFolder folder;

  private RunningSimulators(StateFolder folder) {
    this.folder = folder;
  }

  /**
   * Those of the user whose environment this is.
   *
   * @throws IOException if there is no folder to keep them in
   */
  public static RunningSimulators of(Map<String, String> environment) throws IOException {
    return new RunningSimulators(StateFolder.of(environment).folder("simulators"));
  }

  /** This process has begun to answer at a port. */
  public void begun(int port) throws IOException {
    var me = ProcessHandle.current();
    Files.writeString(folder.made(String.valueOf(port)), me.pid() + " " + started(me));
  }

  /** It answers there no more. */
  public void ended(int port) throws IOException {
    Files.deleteIfExists(folder.file(String.valueOf(port)));
  }

  /** Whether one answers at an address. One that was killed left its file, and is not there. */
  public boolean answersAt(URI address) throws IOException {
    if (!HERE.contains(String.valueOf(address.getHost())) || address.getPort() < 0) {
      return false;
    }
    try {
      var said = Files.readString(folder.file(String.valueOf(address.getPort()))).split(" ", -1);
      return said.length == 2
          && said[0].matches("\\d{1,18}")
          && ProcessHandle.of(Long.parseLong(said[0]))
              .filter(process -> started(process).equals(said[1]))
              .isPresent();
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  private static String started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("");
  }
}
