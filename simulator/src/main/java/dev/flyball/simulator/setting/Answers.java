package dev.flyball.simulator.setting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.simulator.value.OptionText;
import dev.flyball.simulator.value.RandomDraw;
import dev.flyball.simulator.value.TokenCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The source of all that a model says. */
public sealed interface Answers {
  /** The prompt itself, said back. */
  record Echo() implements Answers {}

  /** Words without a meaning; as many as an answer to this prompt would have. */
  record Lorem() implements Answers {}

  /** To a review what its form asks for, made up from the code; to everything else words. */
  record Reviewing() implements Answers {}

  /**
   * A file's answer to this caller's id, else to the first pattern found, else an echo. An answer
   * that is JSON can name what it was asked about, see {@link AnswerTemplate}.
   */
  record Scripted(Map<String, String> byId, List<Line> byPattern) implements Answers {}

  /**
   * An answer to every prompt in which a pattern is found.
   *
   * @param system what is found in what was said before the prompt
   */
  record Line(Pattern pattern, Pattern system, String answer) {
    boolean fits(String before, String prompt) {
      return system.matcher(before).find() && pattern.matcher(prompt).find();
    }
  }

  static Answers echo() {
    return new Echo();
  }

  static Answers lorem() {
    return new Lorem();
  }

  static Answers reviewing() {
    return new Reviewing();
  }

  /**
   * Reads {@code echo}, {@code lorem}, {@code review}, or a file of JSON objects, each with an
   * {@code answer} and an {@code id}, or a {@code pattern} of the prompt, a {@code system} of what
   * was said before it, or both.
   */
  static Answers parse(String text) {
    return byName(text).orElseGet(() -> file(Path.of(text)));
  }

  /**
   * Reads {@code echo}, {@code lorem} or {@code review}: whoever asks over HTTP has no file opened.
   */
  static Answers made(String text) {
    return byName(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "answers are set here to echo, lorem or review; a file is named on the command"
                        + " line"));
  }

  private static Optional<Answers> byName(String text) {
    return switch (text) {
      case "echo" -> Optional.of(echo());
      case "lorem" -> Optional.of(lorem());
      case "review" -> Optional.of(reviewing());
      default -> Optional.empty();
    };
  }

  private static Answers file(Path path) {
    OptionText.check(
        Files.isReadable(path), "answers are echo, lorem, review or a file that can be read", path);
    Map<String, String> byId = new HashMap<>();
    List<Line> byPattern = new ArrayList<>();
    try (MappingIterator<JsonNode> lines =
        new ObjectMapper().readerFor(JsonNode.class).readValues(path.toFile())) {
      while (lines.hasNext()) {
        JsonNode line = lines.next();
        OptionText.check(
            line.has("answer") && (line.has("id") || line.has("pattern") || line.has("system")),
            "an answer in " + path + " has an answer, and an id, a pattern or a system",
            line);
        JsonNode answer = line.get("answer");
        String said = answer.isTextual() ? answer.textValue() : answer.toString();
        if (line.has("id")) {
          byId.put(line.get("id").asText(), said);
        } else {
          byPattern.add(
              new Line(
                  Pattern.compile(line.path("pattern").asText("")),
                  Pattern.compile(line.path("system").asText("")),
                  said));
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "answers are JSON objects, one after the other; " + path + " is not: " + e.getMessage(),
          e);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "a pattern in " + path + " is a regular expression, not " + e.getPattern(), e);
    }
    return new Scripted(Map.copyOf(byId), List.copyOf(byPattern));
  }

  /** The whole answer, before anything cuts it short. */
  default String to(String id, String system, String prompt, String model, RandomDraw draw) {
    return switch (this) {
      case Echo echo -> prompt;
      case Lorem lorem -> TokenCounter.lorem(length(draw), model, draw);
      case Reviewing reviewing ->
          ReviewAnswers.to(system, prompt)
              .orElseGet(() -> TokenCounter.lorem(length(draw), model, draw));
      case Scripted(Map<String, String> byId, List<Line> byPattern) ->
          Optional.ofNullable(byId.get(id))
              .or(
                  () ->
                      byPattern.stream()
                          .filter(line -> line.fits(system, prompt))
                          .map(Line::answer)
                          .findFirst())
              .map(answer -> AnswerTemplate.filled(answer, prompt))
              .orElse(prompt);
    };
  }

  /** Log-normal around two hundred tokens. */
  private static long length(RandomDraw draw) {
    return Math.max(1, Math.round(Math.exp(5.3 + 0.7 * draw.bell())));
  }
}
