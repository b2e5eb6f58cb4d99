package dev.flyball.planted.bench;

/** Innocent: a benchmark prints what it measured. */
public record Measurement() {
  void print() {
    System.out.println(this);
  }
}
