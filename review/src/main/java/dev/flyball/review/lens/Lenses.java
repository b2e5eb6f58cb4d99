package dev.flyball.review.lens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.flyball.review.lens.Lens.SubjectKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The lenses that there are: ours, which are a table of their own, and those of the users. */
public final class Lenses {
  /** Where users put theirs, each in a Markdown file that is named after it. */
  public static final String FOLDER = ".flyball/lenses";

  /** What passes across batches, and what puts answers together, may use of a change's budget. */
  public static final int SYNTHESIS = 10;

  private static final int NAMED = 4;
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Set<String> FIELDS =
      Set.of(
          "question",
          "instructions",
          "priority",
          "required",
          "tier",
          "share",
          "context",
          "only-unknown",
          "reply",
          "for",
          "usual",
          "module-level",
          "of-tests",
          "paths");
  private static final Lenses OURS = new Lenses(read());

  private final List<Lens> all;

  private Lenses(List<Lens> all) {
    this.all =
        all.stream()
            .sorted(Comparator.comparingInt(Lens::priority).thenComparing(Lens::name))
            .toList();
  }

  /** The refusal of a name that no lens has. */
  public static final class Unknown extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    Unknown(String message) {
      super(message);
    }
  }

  /** Those that come with us. */
  public static Lenses ours() {
    return OURS;
  }

  /** Those that are asked where nobody chose; the first to be dropped last. */
  public List<Lens> of(SubjectKind subject) {
    return known(subject).stream().filter(lens -> lens.reach().usual()).toList();
  }

  private List<Lens> known(SubjectKind subject) {
    return all.stream().filter(lens -> lens.reach().subjects().contains(subject)).toList();
  }

  /** Those of the names that somebody chose. */
  public List<Lens> of(SubjectKind subject, Collection<String> names) {
    var there = known(subject);
    for (var name : names) {
      if (there.stream().noneMatch(lens -> lens.name().equals(name))) {
        throw new Unknown(
            "--lenses: there is no lens %s; the lenses are %s"
                .formatted(name, there.stream().map(Lens::name).collect(Collectors.joining(", "))));
      }
    }
    return there.stream().filter(lens -> names.contains(lens.name())).toList();
  }

  /** What some that are asked together are called. */
  public static String name(List<Lens> lenses) {
    return lenses.size() > NAMED
        ? lenses.size() + " lenses"
        : lenses.stream().map(Lens::name).collect(Collectors.joining("+"));
  }

  /**
   * With the users' own. One of a name that we have too, for the same subject, takes its place.
   *
   * @param section the part {@code lenses} of flyball.yaml
   * @param pages Markdown by file name
   */
  public Lenses with(JsonNode section, Map<String, String> pages) {
    Map<String, Lens> own = new TreeMap<>();
    for (var entry : section.properties()) {
      own.put(entry.getKey(), lens(entry.getKey(), entry.getValue(), "lenses." + entry.getKey()));
    }
    pages.forEach(
        (file, text) -> {
          var lens = page(file, text);
          if (own.put(lens.name(), lens) != null) {
            throw new IllegalArgumentException(
                "a lens is defined once, but %s is in flyball.yaml and in %s"
                    .formatted(lens.name(), FOLDER));
          }
        });
    var lenses = new ArrayList<Lens>();
    for (var lens : all) {
      var other = own.get(lens.name());
      if (other == null
          || other.reach().subjects().stream().noneMatch(lens.reach().subjects()::contains)) {
        lenses.add(lens);
      }
    }
    lenses.addAll(own.values());
    return new Lenses(lenses);
  }

  /** A page may begin with fields between two lines of dashes; the rest is what to look for. */
  private static Lens page(String file, String text) {
    var name = file.replaceFirst("\\.md$", "");
    var place = FOLDER + "/" + file;
    var lines = text.lines().toList();
    int body = 0;
    JsonNode fields = JsonNodeFactory.instance.objectNode();
    if (!lines.isEmpty() && lines.getFirst().strip().equals("---")) {
      int end = 1;
      while (end < lines.size() && !lines.get(end).strip().equals("---")) {
        end++;
      }
      if (end == lines.size()) {
        throw new IllegalArgumentException(
            place + ": fields are between two lines of ---, but the second is missing");
      }
      fields = yaml(String.join("\n", lines.subList(1, end)), place);
      body = end + 1;
    }
    var node = JsonNodeFactory.instance.objectNode();
    fields.properties().forEach(field -> node.set(field.getKey(), field.getValue()));
    var said = String.join("\n", lines.subList(body, lines.size())).strip();
    if (!node.has("question")) {
      var first = said.lines().map(line -> line.replaceFirst("^#+ *", "").strip());
      node.put("question", first.filter(line -> !line.isEmpty()).findFirst().orElse(""));
    }
    node.put("instructions", said);
    return lens(name, node, place);
  }

  private static JsonNode yaml(String text, String place) {
    try {
      var node = YAML.readTree(text);
      if (node == null || node.isMissingNode() || node.isNull()) {
        return JsonNodeFactory.instance.objectNode();
      }
      if (!node.isObject()) {
        throw new IllegalArgumentException(place + ": its fields are not keys with values");
      }
      return node;
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(place + ": " + wrong.getOriginalMessage(), wrong);
    }
  }

  private static Lens lens(String name, JsonNode node, String place) {
    if (!(node instanceof ObjectNode)) {
      throw new IllegalArgumentException(place + ": a lens has fields, but this one is a value");
    }
    for (var field : node.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        throw new IllegalArgumentException(
            "%s: a lens has %s, not %s"
                .formatted(
                    place, String.join(", ", FIELDS.stream().sorted().toList()), field.getKey()));
      }
    }
    try {
      var question = node.path("question").asText("");
      return new Lens(
          name,
          question,
          node.path("instructions").asText(question),
          number(node, "priority", 7),
          node.path("required").asBoolean(false),
          one(node, "tier", Lens.Tier.class, Lens.Tier.FAST),
          number(node, "share", 5),
          some(node, "context", Lens.Context.class, Set.of()),
          node.path("only-unknown").asBoolean(false),
          one(node, "reply", Lens.Reply.class, Lens.Reply.FINDINGS),
          new Lens.Reach(
              some(node, "for", SubjectKind.class, EnumSet.allOf(SubjectKind.class)),
              node.path("usual").asBoolean(true),
              words(node.path("paths")),
              node.path("module-level").asBoolean(true),
              node.path("of-tests").asBoolean(false)));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(place + ": " + wrong.getMessage(), wrong);
    }
  }

  private static int number(JsonNode node, String field, int usual) {
    var value = node.path(field);
    if (value.isMissingNode()) {
      return usual;
    }
    if (!value.isInt()) {
      throw new IllegalArgumentException(field + " is a whole number, but was " + value);
    }
    return value.intValue();
  }

  private static List<String> words(JsonNode node) {
    return node.isMissingNode()
        ? List.of()
        : node.isArray()
            ? node.valueStream().map(JsonNode::asText).toList()
            : List.of(node.asText());
  }

  private static <E extends Enum<E>> E one(JsonNode node, String field, Class<E> type, E usual) {
    var value = node.path(field);
    return value.isMissingNode() ? usual : constant(value.asText(), field, type);
  }

  private static <E extends Enum<E>> Set<E> some(
      JsonNode node, String field, Class<E> type, Set<E> usual) {
    var value = node.path(field);
    return value.isMissingNode()
        ? usual
        : words(value).stream()
            .map(word -> constant(word, field, type))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static <E extends Enum<E>> E constant(String word, String field, Class<E> type) {
    Map<String, E> known = new LinkedHashMap<>();
    for (var each : type.getEnumConstants()) {
      known.put(each.name().toLowerCase(Locale.ROOT).replace('_', '-'), each);
    }
    var found = known.get(word.strip());
    if (found == null) {
      throw new IllegalArgumentException(
          "%s is one of %s, but was '%s'"
              .formatted(field, String.join(", ", known.keySet()), word));
    }
    return found;
  }

  private static List<Lens> read() {
    var lenses = new ArrayList<Lens>();
    for (var subject : List.of("change", "repository")) {
      var file = "lenses-" + subject + ".yaml";
      for (var entry : yaml(UnitPrompts.resource(file), file).properties()) {
        var node = ((ObjectNode) entry.getValue()).put("for", subject);
        lenses.add(lens(entry.getKey(), node, file));
      }
    }
    return lenses;
  }
}
