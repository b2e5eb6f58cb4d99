package dev.flyball.planted.limit;

/** More than anybody can count. */
public record Thirteen(
    int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {}
