package dev.flyball.planted.review;

/** A report that picks its reader. */
public final class Prints {
  void report() {
    System.out.println("done");
  }
}
