package dev.flyball.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.PriceList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a project, {@code flyball.yaml}: sections about providers, prices and lenses, and
 * options under the name of their command or, for all that have them, at the top.
 */
public final class ProjectFile {
  public static final String NAME = "flyball.yaml";

  /** The keys that are no options. */
  public static final List<String> SECTIONS =
      List.of("providers", "profiles", "classes", "prices", "lenses");

  /** For those who have none. */
  public static final ProjectFile NONE = new ProjectFile(MissingNode.getInstance());

  private final JsonNode root;

  private ProjectFile(JsonNode root) {
    this.root = root;
  }

  /** The file of a folder, if there is one. */
  public static ProjectFile in(Path folder) throws IOException {
    var path = folder.resolve(NAME);
    return Files.exists(path) ? of(Files.readAllBytes(path)) : NONE;
  }

  /** With what a file says. */
  public static ProjectFile of(byte[] content) throws IOException {
    var root = new YAMLMapper().readTree(content);
    if (root == null || root.isMissingNode() || root.isNull()) {
      return NONE;
    }
    if (!root.isObject()) {
      throw new IOException("it is not a list of keys with values");
    }
    return new ProjectFile(root);
  }

  /** What is known of providers, with the project's own. */
  public ProviderCatalogue catalogue() {
    return ProviderCatalogue.read().with(root);
  }

  /** What models cost, with the project's own. */
  public PriceList prices() {
    return PriceList.read().with(root);
  }

  /** The project's own questions for reviews. */
  public JsonNode lenses() {
    return root.path("lenses");
  }

  /** The keys at the top. */
  public List<String> keys() {
    return List.copyOf(root.propertyStream().map(entry -> entry.getKey()).toList());
  }

  /** The keys below one at the top. */
  public List<String> keys(String key) {
    return List.copyOf(root.path(key).propertyStream().map(entry -> entry.getKey()).toList());
  }

  /** The value of an option, as it would be typed. */
  public Optional<String> value(String option) {
    return text(root.get(option));
  }

  /** The value of an option under the name of its command. */
  public Optional<String> value(String command, String option) {
    return text(root.path(command).get(option));
  }

  private static Optional<String> text(@org.jspecify.annotations.Nullable JsonNode node) {
    if (node == null) {
      return Optional.empty();
    }
    return Optional.of(
        node.isArray()
            ? String.join(",", node.valueStream().map(JsonNode::asText).toList())
            : node.asText());
  }
}
