package dev.flyball.fleet;

import java.util.List;
import java.util.Optional;

/**
 * A fleet as people see it.
 *
 * @param keeper the replica that keeps the books
 * @param place where the fleet meets
 * @param replicas who takes part
 * @param lanes the limits that they share
 */
public record FleetView(String keeper, String place, List<Member> replicas, List<Shared> lanes) {
  /**
   * One who takes part.
   *
   * @param name host and process
   * @param weight of its share
   * @param waiting how many of its calls are known to wait
   * @param inFlight how many of its attempts are under way
   * @param departures how many it was given so far
   */
  public record Member(String name, double weight, int waiting, int inFlight, long departures) {}

  /**
   * One limit that is shared.
   *
   * @param lane its name
   * @param inFlight how many attempts of all replicas are under way
   * @param waiting how many calls of all replicas are known to wait
   * @param waitsFor what the next of them waits for
   * @param waitsSeconds for how long, if that is known
   * @param limits what is known of its limits
   */
  public record Shared(
      String lane,
      int inFlight,
      int waiting,
      Optional<String> waitsFor,
      Optional<Double> waitsSeconds,
      List<Limit> limits) {}

  /**
   * One limit of a lane.
   *
   * @param of what is counted
   * @param most how much in a period; 0 if nobody said
   * @param perSecond how much comes back in a second
   * @param left how much is left now
   */
  public record Limit(String of, long most, double perSecond, double left) {}
}
