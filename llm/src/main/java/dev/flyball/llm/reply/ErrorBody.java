package dev.flyball.llm.reply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An error body as far as it was understood, whoever wrote it: JSON of any provider, JSON that was
 * cut off, a page of HTML, plain text or nothing.
 *
 * @param codes every type, code, status and reason in it, in lower case
 * @param message the provider's own words; empty if there are none
 * @param status the HTTP status that the body itself names
 * @param quotas the names of Google's limits that were exceeded
 * @param retryDelay the wait that a field of it asks for
 * @param headers the headers that OpenRouter writes into the body
 */
record ErrorBody(
    Set<String> codes,
    String message,
    OptionalInt status,
    List<String> quotas,
    Optional<String> retryDelay,
    Map<String, List<String>> headers) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SCANNED = 64 * 1024;
  private static final int LONGEST_CODE = 120;
  private static final List<String> CODES =
      List.of(
          "code", "type", "status", "error_code", "error_type", "reason", "limit_source", "__type");
  private static final Set<String> DELAYS = Set.of("retrydelay", "retryafter", "retryafterseconds");
  private static final Set<String> MILLISECOND_DELAYS = Set.of("retryafterms", "retrydelayms");
  private static final Pattern NO_LETTER = Pattern.compile("[_-]");
  private static final Pattern FIELD =
      Pattern.compile(
          "\"([A-Za-z_-]{1,24}+)\"\\s{0,8}+:\\s{0,8}+(?:\"([^\"]{1,2000}+)"
              + "|(\\d{1,15}+(?:\\.\\d++)?+))");
  private static final Pattern TITLE =
      Pattern.compile("<title[^<>]{0,100}+>([^<]{1,200}+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern AWS_NAMESPACE = Pattern.compile("^[^#]{0,100}#|(?s::.*)");

  static ErrorBody of(byte[] body) {
    var reading = new Reading();
    var text = new String(body, 0, Math.min(body.length, SCANNED), StandardCharsets.UTF_8).strip();
    if (text.startsWith("<")) {
      var title = TITLE.matcher(text);
      reading.message(title.find() ? title.group(1).strip() : "");
    } else if (!reading.tree(parse(body))) {
      reading.fragment(text);
    }
    return reading.result();
  }

  /** The same, with the type that a header names. */
  ErrorBody typed(Optional<String> type) {
    if (type.filter(name -> name.length() <= LONGEST_CODE).isEmpty()) {
      return this;
    }
    var all = new LinkedHashSet<>(codes);
    all.add(bare(type.get()));
    return new ErrorBody(all, message, status, quotas, retryDelay, headers);
  }

  boolean says(String... any) {
    for (var code : any) {
      if (codes.contains(code)) {
        return true;
      }
    }
    return false;
  }

  private static String bare(String code) {
    return AWS_NAMESPACE.matcher(code).replaceAll("").strip().toLowerCase(Locale.ROOT);
  }

  private static JsonNode parse(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  /** A body while it is read. */
  private static final class Reading {
    private final Set<String> codes = new LinkedHashSet<>();
    private final List<String> quotas = new ArrayList<>();
    private final Map<String, List<String>> headers = new LinkedHashMap<>();
    private OptionalInt status = OptionalInt.empty();
    private Optional<String> retryDelay = Optional.empty();
    private String message = "";

    ErrorBody result() {
      return new ErrorBody(codes, message, status, quotas, retryDelay, headers);
    }

    /** False if it is neither an error nor a message. */
    boolean tree(JsonNode body) {
      var root = body.isArray() ? body.path(0) : body;
      if (!root.isObject()) {
        message(root.isTextual() ? root.asText() : "");
        return root.isTextual();
      }
      part(root.path("error"));
      part(root.path("response").path("error"));
      part(root.path("choices").path(0).path("error"));
      part(root.path("errors").path(0));
      part(root);
      details(root.path("detail"));
      details(root.path("parameters"));
      message(root.path("detail").asText(""));
      message(root.path("detail").path(0).path("msg").asText(""));
      return true;
    }

    private void part(JsonNode node) {
      message(node.isTextual() ? node.asText() : node.path("message").asText(""));
      details(node);
      details(node.path("details"));
      for (var detail : node.path("details")) {
        details(detail);
      }
      var metadata = node.path("metadata");
      details(metadata);
      if (metadata.path("raw").isTextual()) {
        message += ": " + metadata.path("raw").asText();
      }
      for (var header : metadata.path("headers").properties()) {
        headers.put(header.getKey(), List.of(header.getValue().asText("")));
      }
    }

    private void details(JsonNode node) {
      for (var name : CODES) {
        code(node.path(name));
      }
      for (var field : node.properties()) {
        if (field.getValue().isNumber() || field.getValue().isTextual()) {
          delay(field.getKey(), field.getValue().asText());
        }
      }
      for (var violation : node.path("violations")) {
        quota(violation.path("quotaId").asText(""));
      }
    }

    /** {@code retryDelay}, {@code retry_after}, {@code retryAfterMs}: the first of them counts. */
    private void delay(String name, String value) {
      if (retryDelay.isEmpty() && !value.isEmpty() && name.length() <= LONGEST_CODE) {
        var plain = NO_LETTER.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
        if (DELAYS.contains(plain)) {
          retryDelay = Optional.of(value);
        } else if (MILLISECOND_DELAYS.contains(plain)) {
          retryDelay = Optional.of(value + "ms");
        }
      }
    }

    private void code(JsonNode node) {
      if (node.isValueNode()) {
        code(node.asText(""));
      }
    }

    private void code(String text) {
      if (text.length() == 3 && (text.startsWith("4") || text.startsWith("5"))) {
        var number = WireNumbers.count(text);
        if (number.isPresent() && status.isEmpty()) {
          status = OptionalInt.of((int) number.getAsLong());
        }
      } else if (!text.isBlank() && text.length() <= LONGEST_CODE) {
        codes.add(bare(text));
      }
    }

    private void quota(String id) {
      if (!id.isBlank() && id.length() <= LONGEST_CODE) {
        quotas.add(id);
      }
    }

    /** The first message counts. */
    private void message(String text) {
      if (message.isBlank()) {
        message = text.length() > SCANNED ? text.substring(0, SCANNED) : text;
      }
    }

    /** JSON that was cut off still names its fields; anything else is a message. */
    void fragment(String text) {
      var field = FIELD.matcher(text);
      while (field.find()) {
        var name = field.group(1);
        var value = field.group(2) == null ? field.group(3) : field.group(2);
        if (value == null) {
          continue;
        }
        if (CODES.contains(name)) {
          code(value);
        } else {
          switch (name) {
            case "message", "detail", "error" -> message(value);
            case "quotaId" -> quota(value);
            default -> delay(name, value);
          }
        }
      }
      message(text);
    }
  }
}
