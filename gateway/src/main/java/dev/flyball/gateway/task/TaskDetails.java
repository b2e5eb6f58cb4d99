package dev.flyball.gateway.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.flyball.call.Cost;
import dev.flyball.llm.Sha256;
import dev.flyball.review.lens.Lens;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.source.ChangeRange;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a client asks to be reviewed, checked as far as that takes neither a slot nor a disk.
 *
 * @param patch the text of a change, if one came
 * @param folder where a repository is, if one was named
 * @param repository the name of that, as the client gave it
 * @param range which change of it
 * @param lenses only these; none means all that are usual
 * @param within how long it may run
 */
record TaskDetails(
    Optional<String> patch,
    Optional<Path> folder,
    Optional<String> repository,
    Optional<ChangeRange> range,
    List<String> lenses,
    OptionalLong tokens,
    Optional<Cost> money,
    Set<ReportFormat> formats,
    Duration within) {
  private static final Set<String> FIELDS =
      Set.of("patch", "repository", "range", "lenses", "budget", "formats", "deadlineSeconds");
  private static final Set<String> BUDGET = Set.of("tokens", "usd");
  private static final int MOST_LENSES = 32;
  private static final int LONGEST_NAME = 400;
  private static final int PRINT_BYTES = 16;
  private static final long MOST_TOKENS = 1L << 50;
  private static final Pattern LENS = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final Pattern DOLLARS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,6})?");
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  TaskDetails {
    lenses = List.copyOf(lenses);
    formats = Set.copyOf(formats);
  }

  /** Reads JSON, which is a body or a message. */
  static JsonNode json(byte[] text) throws TaskCode.Refused {
    try {
      var node = JSON.readTree(text);
      if (node == null || !node.isObject()) {
        throw new TaskCode.Refused(TaskCode.MALFORMED_JSON);
      }
      return node;
    } catch (JsonProcessingException garbled) {
      var at = garbled.getLocation();
      throw at == null
          ? new TaskCode.Refused(TaskCode.MALFORMED_JSON)
          : new TaskCode.Refused(
              TaskCode.MALFORMED_JSON,
              "It went wrong at line %d, column %d.".formatted(at.getLineNr(), at.getColumnNr()));
    } catch (IOException impossible) {
      throw new TaskCode.Refused(TaskCode.MALFORMED_JSON);
    }
  }

  /** Checks what a client asks for. */
  static TaskDetails of(JsonNode asked, TaskSettings settings) throws TaskCode.Refused {
    known(asked, FIELDS, "");
    var patch = text(asked, "patch", Integer.MAX_VALUE);
    var repository = text(asked, "repository", LONGEST_NAME);
    var range = text(asked, "range", LONGEST_NAME);
    if (patch.isEmpty() && (repository.isEmpty() || range.isEmpty())) {
      throw new TaskCode.Refused(TaskCode.MISSING_SUBJECT);
    }
    if (patch.isPresent() && range.isPresent()) {
      throw wrong("patch and range are different changes: send one of them.");
    }
    Optional<Path> folder = Optional.empty();
    if (repository.isPresent()) {
      folder = settings.repositories().find(repository.get());
      if (folder.isEmpty()) {
        throw new TaskCode.Refused(TaskCode.UNKNOWN_REPOSITORY);
      }
    }
    return new TaskDetails(
        patch,
        folder,
        repository,
        range(range),
        lenses(asked.path("lenses"), repository.isPresent()),
        tokens(asked.path("budget"), settings),
        money(asked.path("budget")),
        formats(asked.path("formats")),
        within(asked.path("deadlineSeconds"), settings));
  }

  /**
   * The same for requests that must not run at the same time, because they would keep their answers
   * in one place.
   */
  String key(String tenant) {
    var subject =
        String.join(
            "\0",
            tenant,
            repository.orElse(""),
            range.map(Object::toString).orElse(""),
            patch.map(TaskDetails::print).orElse(""));
    return print(subject);
  }

  /** What the change is called in reports and in the history. */
  String title() {
    return patch.map(text -> "patch " + print(text).substring(0, PRINT_BYTES)).orElse("range");
  }

  private static String print(String text) {
    var hash = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, PRINT_BYTES);
  }

  private static void known(JsonNode node, Set<String> fields, String where)
      throws TaskCode.Refused {
    for (var field : node.properties()) {
      if (!fields.contains(field.getKey())) {
        throw wrong(
            "%shas the fields %s and no others."
                .formatted(
                    where.isEmpty() ? "A request " : where + " ",
                    String.join(", ", fields.stream().sorted().toList())));
      }
    }
  }

  private static Optional<String> text(JsonNode asked, String field, int longest)
      throws TaskCode.Refused {
    var node = asked.path(field);
    if (node.isMissingNode() || node.isNull()) {
      return Optional.empty();
    }
    if (!node.isTextual() || node.textValue().isBlank() || node.textValue().length() > longest) {
      throw wrong(
          field
              + " must be a text that is not empty"
              + (longest == Integer.MAX_VALUE ? "." : " and has at most " + longest + " letters."));
    }
    return Optional.of(node.textValue());
  }

  private static Optional<ChangeRange> range(Optional<String> text) throws TaskCode.Refused {
    try {
      return text.map(ChangeRange::of);
    } catch (IllegalArgumentException no) {
      throw wrong("range must be A..B, A...B or a single revision.");
    }
  }

  /** Whether a repository has lenses of its own is seen when it is read. */
  private static List<String> lenses(JsonNode node, boolean mayHaveOwn) throws TaskCode.Refused {
    if (node.isMissingNode() || node.isNull()) {
      return List.of();
    }
    var rule = "lenses must be a list of 1 to " + MOST_LENSES + " names of lenses.";
    if (!node.isArray() || node.isEmpty() || node.size() > MOST_LENSES) {
      throw wrong(rule);
    }
    var names = new ArrayList<String>();
    for (var each : node) {
      if (!each.isTextual() || !LENS.matcher(each.textValue()).matches()) {
        throw wrong(rule);
      }
      names.add(each.textValue());
    }
    if (!mayHaveOwn) {
      try {
        Lenses.ours().of(Lens.SubjectKind.CHANGE, names);
      } catch (IllegalArgumentException unknown) {
        throw new TaskCode.Refused(TaskCode.UNKNOWN_LENS);
      }
    }
    return names;
  }

  private static OptionalLong tokens(JsonNode budget, TaskSettings settings)
      throws TaskCode.Refused {
    if (!budget.isMissingNode() && !budget.isNull()) {
      if (!budget.isObject()) {
        throw wrong("budget must be an object with tokens, usd or both.");
      }
      known(budget, BUDGET, "budget");
    }
    long most = settings.mostTokens().orElse(MOST_TOKENS);
    var node = budget.path("tokens");
    if (node.isMissingNode() || node.isNull()) {
      return settings.mostTokens();
    }
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < 1
        || node.longValue() > most) {
      throw wrong("budget.tokens must be a whole number from 1 to " + most + ".");
    }
    return OptionalLong.of(node.longValue());
  }

  private static Optional<Cost> money(JsonNode budget) throws TaskCode.Refused {
    var node = budget.path("usd");
    if (node.isMissingNode() || node.isNull()) {
      return Optional.empty();
    }
    if (!node.isTextual()
        || !DOLLARS.matcher(node.textValue()).matches()
        || new BigDecimal(node.textValue()).signum() == 0) {
      throw wrong("budget.usd must be a text with dollars above 0, such as \"2.50\".");
    }
    return Optional.of(Cost.dollars(node.textValue()));
  }

  private static Set<ReportFormat> formats(JsonNode node) throws TaskCode.Refused {
    if (node.isMissingNode() || node.isNull()) {
      return Set.of(ReportFormat.JSON);
    }
    var formats = EnumSet.noneOf(ReportFormat.class);
    for (var each : node) {
      ReportFormat.of(each.asText("")).ifPresent(formats::add);
    }
    if (!node.isArray() || node.isEmpty() || formats.size() != node.size()) {
      throw wrong("formats must be a list of " + ReportFormat.names() + ", each at most once.");
    }
    return formats;
  }

  private static Duration within(JsonNode node, TaskSettings settings) throws TaskCode.Refused {
    var most = settings.times().task();
    if (node.isMissingNode() || node.isNull()) {
      return most;
    }
    long seconds = Math.max(1, most.toSeconds());
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.longValue() < 1
        || node.longValue() > seconds) {
      throw wrong("deadlineSeconds must be a whole number from 1 to " + seconds + ".");
    }
    return Duration.ofSeconds(node.longValue());
  }

  private static TaskCode.Refused wrong(String rule) {
    return new TaskCode.Refused(TaskCode.INVALID_FIELD, rule);
  }

  /** The manners in which a result can be written. */
  enum ReportFormat {
    JSON,
    SARIF,
    MARKDOWN,
    ANNOTATIONS;

    static Optional<ReportFormat> of(String word) {
      for (var each : values()) {
        if (each.toString().equals(word)) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }

    static String names() {
      return "json, sarif, markdown, annotations";
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
