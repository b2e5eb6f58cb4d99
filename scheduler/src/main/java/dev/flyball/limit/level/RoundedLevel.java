package dev.flyball.limit.level;

/**
 * A level as it is told, and how coarsely. Where it is rounded and the time to a full bucket is
 * told more finely, that time says it better, and may say how deep in debt an empty one is.
 *
 * @param rounding the step to which it is rounded; 1 if it is not
 */
record RoundedLevel(double level, long rounding) {
  /** The same by the time to a full bucket, if the two agree. */
  RoundedLevel byReset(double left, double limit, double stated) {
    double blur = ResetReading.resolution(left) * stated;
    double told = limit - left * stated;
    double half = rounding / 2.0;
    boolean debt = level == 0 && told > -limit;
    boolean agree = told - blur <= level + half && (told + blur >= level - half || debt);
    boolean finer = rounding > 1 && 4 * blur <= rounding && agree;
    return finer ? new RoundedLevel(told, (long) Math.ceil(2 * blur)) : this;
  }
}
