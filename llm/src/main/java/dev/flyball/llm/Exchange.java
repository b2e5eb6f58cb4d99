package dev.flyball.llm;

import dev.flyball.call.Reply;
import dev.flyball.llm.reply.ReplyHead;
import java.util.Optional;

/**
 * One attempt over the wire: its reply, and the head of that, if anything came.
 *
 * @param head empty when no reply came at all
 */
public record Exchange(Reply<ProviderAnswer> reply, Optional<ReplyHead> head) {}
