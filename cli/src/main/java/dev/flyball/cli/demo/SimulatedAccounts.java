package dev.flyball.cli.demo;

import dev.flyball.run.LocalProvider;
import dev.flyball.simulator.Simulator;
import dev.flyball.simulator.setting.Answers;
import dev.flyball.simulator.setting.Settings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The simulated accounts of one command, each started when it is first asked for. */
public final class SimulatedAccounts implements LocalProvider, AutoCloseable {
  private final List<Simulator> started = new ArrayList<>();

  @Override
  public URI start(String account) throws IOException {
    var simulator = Simulator.start(Settings.of(account).answers(Answers.reviewing()), 0);
    started.add(simulator);
    return simulator.uri();
  }

  @Override
  public void close() {
    started.forEach(Simulator::close);
  }
}
