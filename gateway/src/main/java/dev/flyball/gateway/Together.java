package dev.flyball.gateway;

import dev.flyball.gateway.http.AccessCheck;
import dev.flyball.gateway.http.CallListener;
import dev.flyball.gateway.http.GatewayPart;
import dev.flyball.gateway.http.Mount;
import java.util.List;
import java.util.Optional;

/** Several parts that are made together, as one. */
record Together(List<GatewayPart> parts) implements GatewayPart {
  Together {
    parts = List.copyOf(parts);
  }

  @Override
  public List<Mount> mounts() {
    return parts.stream().flatMap(part -> part.mounts().stream()).toList();
  }

  @Override
  public Optional<AccessCheck> access() {
    return parts.stream().flatMap(part -> part.access().stream()).reduce((one, last) -> last);
  }

  @Override
  public Optional<CallListener> listener() {
    var all = parts.stream().flatMap(part -> part.listener().stream()).toList();
    return Optional.of((call, step) -> all.forEach(each -> each.told(call, step)));
  }

  @Override
  public void drain() {
    parts.forEach(GatewayPart::drain);
  }

  @Override
  public int inFlight() {
    return parts.stream().mapToInt(GatewayPart::inFlight).sum();
  }

  @Override
  public Runnable readAgain() {
    var all = parts.stream().map(GatewayPart::readAgain).toList();
    return () -> all.forEach(Runnable::run);
  }

  @Override
  public void close() {
    parts.reversed().forEach(GatewayPart::close);
  }
}
