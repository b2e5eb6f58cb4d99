package dev.flyball.planted.limit;

/** Innocent: as much as anybody can count. */
public record Twelve(
    int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
  static final int COUNTED = 0;
}
