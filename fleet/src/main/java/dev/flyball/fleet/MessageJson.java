package dev.flyball.fleet;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.List;

/** Messages as lines of JSON. What cannot be read is an {@link IOException} and nothing else. */
final class MessageJson {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .visibility(PropertyAccessor.GETTER, JsonAutoDetect.Visibility.NONE)
          .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
          .build();

  private MessageJson() {}

  /** Does now what takes time once. */
  static void prepare() {
    try {
      var hello = new FleetMessage.Hello(0, "", "", 1, List.of());
      read(write(hello), FleetMessage.ToKeeper.class);
    } catch (IOException impossible) {
      throw new IllegalStateException("what was written can be read", impossible);
    }
  }

  static String write(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("a message of the fleet cannot be written", broken);
    }
  }

  static <T> T read(String line, Class<T> type) throws IOException {
    return read(line, JSON.constructType(type));
  }

  // The type of the value is a generic one, which no class can name.
  @SuppressWarnings("TypeParameterUnusedInFormals")
  static <T> T read(String line, JavaType type) throws IOException {
    try {
      T read = JSON.readValue(line, type);
      if (read == null) {
        throw new IOException("a message of the fleet was empty");
      }
      return read;
    } catch (RuntimeException impossible) {
      throw new IOException("a message of the fleet makes no sense", impossible);
    }
  }
}
