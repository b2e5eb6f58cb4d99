package dev.flyball.review.ask;

import dev.flyball.llm.Sha256;
import dev.flyball.review.lens.UnitPrompts;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.plan.UnitMaterial;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The key that an answer is kept under: a hash of every byte of the question, of the lenses, of the
 * version of the prompts, of the model, and of who is asked where. So an answer counts for nothing
 * else. The code in it is hashed before secrets are taken out, and API keys are no part of it: two
 * keys at one address get the same answers.
 */
final class AnswerKey {
  /** Goes up whenever something else is hashed. */
  private static final byte VERSION = 2;

  /** How long an answer may be makes it no other question. */
  private static final long ANY_ROOM = 4_096;

  private AnswerKey() {}

  static String of(Unit unit, AnswerSchema schema, UnitMaterial material, Reviewer to) {
    var hash = Sha256.digest();
    hash.update(VERSION);
    hash.update((byte) UnitPrompts.VERSION);
    add(hash, Integer.toString(unit.sample()));
    add(hash, unit.part());
    add(hash, schema.name());
    add(hash, to.model());
    add(hash, to.dialect().name());
    var endpoint = to.keys().first().provider().endpoint();
    add(hash, to.simulated() ? "simulated" : "at " + endpoint.root());
    Map<String, String> headers = new TreeMap<>(endpoint.headers());
    headers.forEach(
        (name, value) -> {
          add(hash, name);
          add(hash, value);
        });
    add(hash, ReviewRequest.of(unit.room(ANY_ROOM), schema, material, to, Optional.empty()));
    return HexFormat.of().formatHex(hash.digest());
  }

  private static void add(MessageDigest hash, String text) {
    add(hash, text.getBytes(StandardCharsets.UTF_8));
  }

  /** With its length, so that no two ways to cut a text into parts are one. */
  private static void add(MessageDigest hash, byte[] part) {
    hash.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    hash.update(part);
  }
}
