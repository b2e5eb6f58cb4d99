package dev.flyball.llm;

import dev.flyball.call.Reply;
import dev.flyball.llm.reply.ReplyHead;
import java.util.Optional;

/**
 * One attempt over the wire: its reply, and the head of that, if anything came. The memory of its
 * answer counts as in use until it is closed.
 *
 * @param head empty when no reply came at all
 * @param memory given back when whoever asked has done with the answer
 */
public record Exchange(Reply<ProviderAnswer> reply, Optional<ReplyHead> head, Runnable memory)
    implements AutoCloseable {
  @Override
  public void close() {
    memory.run();
  }
}
