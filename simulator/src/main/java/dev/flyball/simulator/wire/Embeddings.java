package dev.flyball.simulator.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.value.RandomDraw;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/** OpenAI's Embeddings, as numbers or as bytes. */
final class Embeddings {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int WIDTH = 256;

  private Embeddings() {}

  static ObjectNode whole(ModelReply reply, JsonNode body) {
    ObjectNode list = JSON.objectNode().put("object", "list");
    list.put("model", reply.prompt().model());
    ArrayNode all = list.putArray("data");
    int width = Math.clamp(body.path("dimensions").asLong(WIDTH), 1, 4_096);
    boolean base64 = body.path("encoding_format").asText().equals("base64");
    List<String> texts = reply.prompt().texts();
    for (int i = 0; i < texts.size(); i++) {
      ObjectNode each = all.addObject().put("object", "embedding").put("index", i);
      float[] vector = vector(texts.get(i), width);
      if (base64) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        each.put("embedding", Base64.getEncoder().encodeToString(bytes.array()));
      } else {
        ArrayNode numbers = each.putArray("embedding");
        for (float number : vector) {
          numbers.add(number);
        }
      }
    }
    list.putObject("usage").put("prompt_tokens", reply.input()).put("total_tokens", reply.input());
    return list;
  }

  /** A direction that depends on the text alone, of length one. */
  private static float[] vector(String text, int width) {
    RandomDraw draw =
        RandomDraw.of(0, RandomDraw.Purpose.EMBEDDING, "", "", RandomDraw.hash(text), 0);
    float[] vector = new float[width];
    double square = 0;
    for (int i = 0; i < width; i++) {
      vector[i] = (float) draw.bell();
      square += vector[i] * vector[i];
    }
    for (int i = 0; i < width; i++) {
      vector[i] /= (float) Math.sqrt(square);
    }
    return vector;
  }
}
