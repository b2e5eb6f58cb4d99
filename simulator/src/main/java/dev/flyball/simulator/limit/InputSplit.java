package dev.flyball.simulator.limit;

/**
 * The input of a request in parts: tokens read from the prompt cache, written to it for minutes or
 * for an hour, and neither.
 */
public record InputSplit(long read, long writtenShort, long writtenLong, long fresh) {
  public long written() {
    return writtenShort + writtenLong;
  }
}
