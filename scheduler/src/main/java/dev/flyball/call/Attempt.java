package dev.flyball.call;

/** One try at a call, as its work sees it. */
public interface Attempt {
  /** 1 for the first. */
  int number();

  /** Tells what the response headers said, as soon as they arrive and before the body is read. */
  void sighted(Signals signals);
}
