package dev.flyball.simulator.setting;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.value.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers to reviews, made up from the code that is shown: they have the form that was asked for,
 * name everything that was to be looked at, and say of a few lines what somebody might say of such
 * lines. The same prompt has the same answer.
 */
final class ReviewAnswers {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern HEAD =
      Pattern.compile("(=====[0-9a-f]+) review (\"(?:[^\"\\\\]|\\\\.)*\"|\\S+) lines \\d+ to \\d+");
  private static final Pattern LINE = Pattern.compile("([+ ]?)(\\d+)\\|(.*)");
  private static final Pattern FIRST_WORD =
      Pattern.compile("answer ([A-Z_]+), ([A-Z_]+)|answer ([A-Z_]+) or ([A-Z_]+)");
  private static final Pattern LENS = Pattern.compile("(?m)^## ([a-z][a-z0-9-]*)$");
  private static final Pattern NUMBERED = Pattern.compile("(?m)^(claim|pair|Pair) (\\d+)\\b");
  private static final Pattern SYMBOLS =
      Pattern.compile("(?m)^- (\"(?:[^\"\\\\]|\\\\.)*\"|\\S+): (.+)$");
  private static final int MOST = 3;
  private static final int ONE_IN = 17;

  /** What might be said of lines that look like something. */
  private record Remark(Pattern line, String severity, String title, String message) {
    Remark(String line, String severity, String title, String message) {
      this(Pattern.compile(line), severity, title, message);
    }
  }

  private static final List<Remark> REMARKS =
      List.of(
          new Remark(
              "(?i)\\b(?:eval|exec|system|popen|Runtime)\\b.*\\(",
              "critical",
              "A value may be run as a command",
              "Whoever controls what is passed in here decides what is run."),
          new Remark(
              "(?i)select .*\\+|query\\(.*\\+",
              "critical",
              "A query is put together from parts",
              "A value with a quote in it changes the query. Bind it instead."),
          new Remark(
              "\\bcatch\\b|\\bexcept\\b|if err != nil",
              "major",
              "The error may go unnoticed",
              "Nobody who calls this learns that it failed, and goes on with half of the result."),
          new Remark(
              "(?i)\\b(?:todo|fixme|xxx)\\b",
              "minor",
              "Something was left for later",
              "The note says that this is not done, and nothing keeps track of it."),
          new Remark(
              "\\[\\d+\\]|\\.get\\(0\\)|\\.first\\(",
              "major",
              "An empty list has no first element",
              "With no elements this fails instead of doing nothing."),
          new Remark(
              "\\bfor\\b|\\bwhile\\b",
              "minor",
              "The loop has no bound",
              "With a large input this takes as long as the input is large."));

  private ReviewAnswers() {}

  /** The answer, if a prompt is one of a review. */
  static Optional<String> to(String system, String prompt) {
    if (system.contains("\"settled\"")) {
      return Optional.of(numbered(prompt, "Pair", "settled", entry -> entry.put("holds", "both")));
    }
    if (system.contains("\"checked\"")) {
      var checked = JSON.objectNode();
      checked.setAll(
          object(numbered(prompt, "claim", "checked", it -> it.put("verdict", "holds"))));
      checked.setAll(object(numbered(prompt, "pair", "pairs", it -> it.put("same", false))));
      checked.path("pairs").forEach(entry -> ((ObjectNode) entry).remove("reason"));
      return Optional.of(JsonText.of(checked));
    }
    if (!prompt.contains("# The question") || !system.contains("\"reviewed\"")) {
      return Optional.empty();
    }
    return Optional.of(prompt.contains("\n## Symbols\n") ? symbols(prompt) : findings(prompt));
  }

  private static ObjectNode object(String text) {
    return JsonText.parse(text) instanceof ObjectNode object ? object : JSON.objectNode();
  }

  private static String numbered(
      String prompt, String word, String list, java.util.function.Consumer<ObjectNode> more) {
    var answer = JSON.objectNode();
    var entries = answer.putArray(list);
    NUMBERED
        .matcher(prompt)
        .results()
        .filter(found -> found.group(1).equals(word))
        .map(found -> Integer.parseInt(found.group(2)))
        .distinct()
        .forEach(
            number -> {
              var entry = entries.addObject().put("number", number);
              more.accept(entry);
              entry.put("reason", "The code that is shown says nothing else.");
            });
    return JsonText.of(answer);
  }

  /** The numbered lines under review, by file. */
  private static Map<String, List<String[]>> shown(String prompt) {
    Map<String, List<String[]>> files = new LinkedHashMap<>();
    String mark = "";
    List<String[]> lines = new ArrayList<>();
    for (String line : prompt.split("\n", -1)) {
      var head = HEAD.matcher(line);
      if (mark.isEmpty() && head.matches()) {
        mark = head.group(1);
        lines = files.computeIfAbsent(name(head.group(2)), path -> new ArrayList<>());
      } else if (!mark.isEmpty() && line.equals(mark + " end")) {
        mark = "";
      } else if (!mark.isEmpty()) {
        var numbered = LINE.matcher(line);
        if (numbered.matches()) {
          lines.add(new String[] {numbered.group(1), numbered.group(2), numbered.group(3)});
        }
      }
    }
    return files;
  }

  private static String name(String written) {
    return written.startsWith("\"") ? JsonText.parse(written).asText(written) : written;
  }

  private static String findings(String prompt) {
    var answer = JSON.objectNode();
    var files = shown(prompt);
    var reviewed = answer.putArray("reviewed");
    files.keySet().forEach(reviewed::add);
    var findings = answer.putArray("findings");
    var lens = LENS.matcher(prompt.substring(prompt.lastIndexOf("# The question")));
    String asked = lens.find() ? lens.group(1) : "correctness";
    files.forEach(
        (path, lines) -> {
          for (var line : lines) {
            if (findings.size() < MOST && !line[0].equals(" ") && isChosen(asked, line[2])) {
              remark(line[2])
                  .ifPresent(
                      remark ->
                          findings
                              .addObject()
                              .put("lens", asked)
                              .put("file", path)
                              .put("line", Integer.parseInt(line[1]))
                              .put("quote", line[2])
                              .put("severity", remark.severity)
                              .put("category", "correctness")
                              .put("title", remark.title)
                              .put("message", remark.message)
                              .putNull("suggestion")
                              .put("confidence", 0.85));
            }
          }
        });
    answer.putArray("needsMoreContext");
    return JsonText.of(answer);
  }

  private static Optional<Remark> remark(String line) {
    return REMARKS.stream().filter(remark -> remark.line.matcher(line).find()).findFirst();
  }

  private static boolean isChosen(String lens, String text) {
    return text.strip().length() > 8 && Math.floorMod((lens + text.strip()).hashCode(), 3) == 0;
  }

  private static String symbols(String prompt) {
    var answer = JSON.objectNode();
    var files = shown(prompt);
    var words = FIRST_WORD.matcher(prompt.substring(prompt.lastIndexOf("# The question")));
    boolean known = words.find();
    String good = !known ? "OK" : words.group(1) == null ? words.group(3) : words.group(1);
    String bad = !known ? "OK" : words.group(1) == null ? words.group(4) : words.group(2);
    var reviewed = answer.putArray("reviewed");
    var listed = prompt.substring(prompt.lastIndexOf("\n## Symbols\n"));
    SYMBOLS
        .matcher(listed)
        .results()
        .forEach(
            found -> {
              String path = name(found.group(1));
              for (String symbol : found.group(2).split(", ", -1)) {
                var entry = reviewed.addObject().put("file", path).put("symbol", name(symbol));
                var line =
                    Math.floorMod((good + path + symbol).hashCode(), ONE_IN) == 0
                        ? place(files.getOrDefault(path, List.of()), symbol)
                        : Optional.<String[]>empty();
                entry.put("answer", line.isPresent() ? bad : good).put("confidence", 0.85);
                line.ifPresentOrElse(
                    at ->
                        entry
                            .put("line", Integer.parseInt(at[1]))
                            .put("quote", at[2])
                            .put("detail", "This is where somebody would look twice.")
                            .putNull("suggestion"),
                    () ->
                        entry
                            .putNull("line")
                            .putNull("quote")
                            .putNull("detail")
                            .putNull("suggestion"));
              }
            });
    answer.putArray("needsMoreContext");
    return JsonText.of(answer);
  }

  private static Optional<String[]> place(List<String[]> lines, String symbol) {
    String last = symbol.substring(symbol.lastIndexOf('.') + 1);
    return lines.stream()
        .filter(line -> line[2].contains(last) && line[2].strip().length() > 8)
        .findFirst();
  }
}
