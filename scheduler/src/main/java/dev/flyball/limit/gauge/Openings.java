package dev.flyball.limit.gauge;

/** The moments at which gauges would let a call pass, each with the weight of its gauge. */
final class Openings {
  final double[] moments;
  final double[] weights;

  /** For how long a call that is too early shuts each gauge, in seconds. */
  final double[] penalties;

  private int count;
  private double total;

  Openings(int most) {
    moments = new double[most];
    weights = new double[most];
    penalties = new double[most];
  }

  void clear() {
    count = 0;
    total = 0;
  }

  void add(double moment, double weight, double penalty) {
    moments[count] = moment;
    weights[count] = weight;
    penalties[count++] = penalty;
    total += weight;
  }

  int count() {
    return count;
  }

  /** The part of the weight that opens later than a moment. */
  double after(double moment) {
    double later = 0;
    for (int i = 0; i < count; i++) {
      later += moments[i] > moment ? weights[i] : 0;
    }
    return later / total;
  }

  /** The earliest moment after which at most such a part of the weight has not opened. */
  double agreed(double part) {
    double allowed = part * total;
    double later = 0;
    int from = 0;
    int to = count - 1;
    // As quicksort does, but only on the side on which the moment is.
    while (from < to) {
      double pivot = moments[(from + to) >>> 1];
      int i = from;
      int j = to;
      while (i <= j) {
        while (moments[i] < pivot) {
          i++;
        }
        while (moments[j] > pivot) {
          j--;
        }
        if (i <= j) {
          swap(i++, j--);
        }
      }
      double above = sum(i, to);
      double equal = sum(j + 1, i - 1);
      if (later + above > allowed) {
        from = i;
      } else if (later + above + equal > allowed) {
        return pivot;
      } else {
        later += above + equal;
        to = j;
      }
    }
    return moments[Math.clamp(from, 0, count - 1)];
  }

  private double sum(int from, int to) {
    double sum = 0;
    for (int i = from; i <= to; i++) {
      sum += weights[i];
    }
    return sum;
  }

  private void swap(int i, int j) {
    swap(moments, i, j);
    swap(weights, i, j);
    swap(penalties, i, j);
  }

  private static void swap(double[] values, int i, int j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
  }
}
