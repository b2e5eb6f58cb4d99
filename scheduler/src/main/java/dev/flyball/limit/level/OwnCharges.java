package dev.flyball.limit.level;

/**
 * What one allowance has charged us. Each charge has a <em>mark</em>, the sum of all charges up to
 * it, so what was charged after an attempt is the difference of two numbers and needs no log.
 */
public final class OwnCharges {
  private static final int RECENT = 30;

  /**
   * The charges as the reply to an attempt sees them.
   *
   * @param mark that of the attempt
   * @param before what was charged in all, up to what the reply shows
   * @param since what was charged after that
   * @param together what was charged so close to it that it may belong to either
   * @param recent what was charged just now, so that headers of this moment cannot show it
   * @param count how many charges there were
   * @param each what one of them was, lately
   */
  public record Seen(
      long mark, long before, long since, double together, long recent, long count, double each) {}

  private long sum;
  private long held;
  private long count;
  private double mean;

  /** What attempts in flight were charged. */
  public long held() {
    return held;
  }

  /** What was charged after a mark. */
  public long since(long mark) {
    return sum - mark;
  }

  /** What a call is charged, of the last few dozen. */
  public double mean() {
    return Math.max(1, mean);
  }

  public Seen seen(long mark, long since, double together, long recent) {
    return new Seen(mark, sum - since, since, together, recent, count, mean());
  }

  /** An attempt is charged so much; returns its mark. */
  public long add(long amount) {
    sum += amount;
    held += amount;
    count++;
    mean += (amount - mean) / Math.min(count, RECENT);
    return sum;
  }

  /** An attempt that was charged so much is over. */
  public void release(long charged) {
    held -= charged;
  }

  /** What it was charged is corrected by so much. */
  public void correct(long more) {
    sum += more;
    mean += (double) more / Math.min(count, RECENT);
  }

  /** As if it had never been charged. */
  public void undo(long charged) {
    held -= charged;
    sum -= charged;
  }
}
