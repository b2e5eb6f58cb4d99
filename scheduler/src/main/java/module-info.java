/**
 * Runs many calls to language models as fast as their providers' limits allow, and never faster.
 *
 * <p>{@link dev.flyball.scheduler.Flyball} is the front door; {@code dev.flyball.call} has the
 * values that go in and come out.
 */
module dev.flyball.scheduler {
  requires static org.jspecify;
  requires jdk.jfr;

  exports dev.flyball.call;
  exports dev.flyball.scheduler;
}
