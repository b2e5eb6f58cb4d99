package dev.flyball.llm;

import dev.flyball.llm.reply.ReplyHead;

/**
 * A provider's answer as it came.
 *
 * @param body byte for byte; of a stream that somebody else has taken, nothing
 */
// Nobody compares these, and copying every body would cost.
@SuppressWarnings("ArrayRecordComponent")
public record ProviderAnswer(ReplyHead head, byte[] body) {
  @Override
  public String toString() {
    return "ProviderAnswer[" + head.status() + ", " + body.length + " bytes]";
  }
}
