package dev.flyball.llm;

import dev.flyball.call.Reply;
import java.util.Optional;

/**
 * One attempt over the wire: what it means, and what came before the body, if anything came.
 *
 * @param head empty when no reply came at all
 */
public record Exchange(Reply<Answer> reply, Optional<Head> head) {}
