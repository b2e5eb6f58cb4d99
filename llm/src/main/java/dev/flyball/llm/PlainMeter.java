package dev.flyball.llm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The meter of a plain answer, read while its bytes go by: what it used, whether it is one whole
 * JSON object, whether it is an error and no answer.
 */
final class PlainMeter {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int LONGEST_STATUS = 32;

  private final JsonParser parser;
  private final ByteArrayFeeder feeder;
  private final Map<String, Long> counts = new HashMap<>(8);
  private int depth;
  private String top = "";
  private String name = "";

  /** How deep the parts of a usage go that count, at this moment; 0 outside of one. */
  private int counting;

  private boolean used;
  private boolean error;
  private boolean failed;
  private boolean whole;
  private boolean garbled;
  private long useful;

  PlainMeter() {
    try {
      parser = JSON.createNonBlockingByteArrayParser();
    } catch (IOException never) {
      throw new IllegalStateException(never);
    }
    feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
  }

  void read(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      useful += bytes[i] < 0 || bytes[i] > ' ' ? 1 : 0;
    }
    if (garbled || from == to) {
      return;
    }
    try {
      feeder.feedInput(bytes, from, to);
      drain();
    } catch (IOException broken) {
      garbled = true;
    }
  }

  private void drain() throws IOException {
    for (var token = parser.nextToken();
        token != null && token != JsonToken.NOT_AVAILABLE;
        token = parser.nextToken()) {
      token(token);
    }
  }

  private void token(JsonToken token) throws IOException {
    if (depth == 0 && (whole || token != JsonToken.START_OBJECT)) {
      throw new IOException("not one JSON object");
    }
    switch (token) {
      case FIELD_NAME -> {
        name = parser.currentName();
        top = depth == 1 ? name : top;
      }
      case START_OBJECT, START_ARRAY -> {
        boolean usage = depth == 1 && name.equals("usage");
        boolean part = counting == depth && counting > 0 && UsageReader.isPart(name);
        depth++;
        if (token == JsonToken.START_OBJECT && (usage || part)) {
          counting = depth;
          used = true;
        }
        error |= depth == 2 && top.equals("error");
      }
      case END_OBJECT, END_ARRAY -> {
        counting = counting == depth ? (depth == 2 ? 0 : depth - 1) : counting;
        depth--;
        whole = depth == 0;
      }
      case VALUE_NUMBER_INT -> {
        if (counting == depth && counting > 0) {
          UsageReader.count(name, parser, counts);
        }
        error |= depth == 1 && top.equals("error");
      }
      case VALUE_STRING -> {
        boolean status = depth == 1 && top.equals("status");
        failed |=
            status && parser.getTextLength() < LONGEST_STATUS && parser.getText().equals("failed");
        error |= depth == 1 && top.equals("error");
      }
      case VALUE_NULL -> {}
      default -> error |= depth == 1 && top.equals("error");
    }
  }

  /** The bytes that came and are no blanks. */
  long useful() {
    return useful;
  }

  /** No more comes: what it was, or empty if it was not one whole JSON object. */
  Optional<UsageReader.Top> end() {
    try {
      feeder.endOfInput();
      if (!garbled) {
        drain();
      }
    } catch (IOException broken) {
      garbled = true;
    }
    if (garbled || !whole) {
      return Optional.empty();
    }
    var usage =
        used ? Optional.of(UsageReader.of(counts)) : Optional.<dev.flyball.call.Usage>empty();
    return Optional.of(new UsageReader.Top(usage, error && (failed || usage.isEmpty())));
  }
}
