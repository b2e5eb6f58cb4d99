package dev.flyball.simulator;

/**
 * The input of a request in parts: tokens read from the prompt cache, written to it for minutes or
 * for an hour, and neither.
 */
record InputSplit(long read, long writtenShort, long writtenLong, long fresh) {
  long written() {
    return writtenShort + writtenLong;
  }
}
