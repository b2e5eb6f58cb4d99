package dev.flyball.bench.limiters;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of this package in which words like {@code @port@} stand for what is known later. */
record ConfigTemplate(String text) {
  private static final Pattern WORD = Pattern.compile("@([a-z]+)@");

  static ConfigTemplate named(String name) {
    try (var in = ConfigTemplate.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("there is no " + name + " beside the classes");
      }
      return new ConfigTemplate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  String fill(Map<String, String> values) {
    return WORD.matcher(text)
        .replaceAll(
            word -> {
              var value = values.get(word.group(1));
              if (value == null) {
                throw new IllegalArgumentException("nothing is given for " + word.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
