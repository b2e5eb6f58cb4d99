package dev.flyball.call;

/** One try at a call, as its work sees it. Thread-safe. */
public interface Attempt {
  /** {@return 1 for the call's first attempt, 2 for the second, ...} */
  int number();

  /** {@return the lane in which it goes: one of its call's} */
  LaneId lane();

  /**
   * Tells what the response headers said. Call it as soon as they arrive and before the body is
   * read: others may go on what they say. Does not block; after the attempt is over it does
   * nothing.
   *
   * @param signals what the headers said
   */
  void sighted(Signals signals);
}
