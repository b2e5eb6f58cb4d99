package dev.flyball.llm;

/**
 * A provider's answer as it came.
 *
 * @param body byte for byte; of a stream that somebody else has taken, nothing
 */
// Nobody compares these, and copying every body would cost.
@SuppressWarnings("ArrayRecordComponent")
public record Answer(Head head, byte[] body) {
  @Override
  public String toString() {
    return "Answer[" + head.status() + ", " + body.length + " bytes]";
  }
}
