package dev.flyball.run.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.PriceList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One file of settings: {@link ConfigSection sections}, and options under the name of their command
 * or, for all commands that have them, at the top. It knows the line of each key.
 */
public final class ConfigFile {
  /** The name of a project's file. */
  public static final String PROJECT = "flyball.yaml";

  /** The most bytes that are read of one; people write a hundredth of it. */
  public static final int LARGEST = 256 << 10;

  private final String name;
  private final ObjectNode root;
  private final Map<List<String>, Integer> lines;

  private ConfigFile(String name, ObjectNode root, Map<List<String>, Integer> lines) {
    this.name = name;
    this.root = root;
    this.lines = lines;
  }

  /** One that says nothing. */
  public static ConfigFile empty(String name) {
    return new ConfigFile(name, JsonNodeFactory.instance.objectNode(), Map.of());
  }

  /** The project's file of a folder, if it has one; a link is none. */
  public static ConfigFile project(Path folder) throws ConfigRefused {
    var content = content(folder);
    return content.isEmpty() ? empty(PROJECT) : of(PROJECT, content.get());
  }

  /** What the project's file of a folder says. */
  public static Optional<byte[]> content(Path folder) throws ConfigRefused {
    return content(PROJECT, folder.resolve(PROJECT), LinkOption.NOFOLLOW_LINKS);
  }

  /** The user's own file, if there is one; those who keep such files elsewhere put a link. */
  public static ConfigFile user(Map<String, String> environment) throws ConfigRefused {
    var place = place(environment);
    if (place.isEmpty()) {
      return empty("the user's config.yaml");
    }
    var name = shown(place.get(), environment);
    var content = content(name, place.get());
    return content.isEmpty() ? empty(name) : of(name, content.get());
  }

  /** Where the user's own file would be, if the environment names a home. */
  public static Optional<Path> place(Map<String, String> environment) {
    for (var variable : List.of("XDG_CONFIG_HOME", "APPDATA", "HOME")) {
      var folder = Path.of(environment.getOrDefault(variable, ""));
      // One that depends on where the command runs would be a file of the project.
      if (folder.isAbsolute()) {
        var all = variable.equals("HOME") ? folder.resolve(".config") : folder;
        return Optional.of(all.resolve("flyball").resolve("config.yaml"));
      }
    }
    return Optional.empty();
  }

  /** The user's file as people write it. */
  public static String shown(Path place, Map<String, String> environment) {
    var home = Path.of(environment.getOrDefault("HOME", ""));
    return home.isAbsolute() && place.startsWith(home)
        ? "~/" + home.relativize(place).toString().replace('\\', '/')
        : place.toString();
  }

  private static Optional<byte[]> content(String name, Path file, LinkOption... links)
      throws ConfigRefused {
    try {
      var attributes = Files.readAttributes(file, BasicFileAttributes.class, links);
      if (!attributes.isRegularFile()) {
        throw new ConfigRefused(
            name
                + ": a file of settings is a file itself, but this is "
                + (attributes.isSymbolicLink()
                    ? "a link"
                    : attributes.isDirectory() ? "a folder" : "no regular file"));
      }
      try (var in =
          links.length == 0 ? Files.newInputStream(file) : Files.newInputStream(file, links)) {
        return Optional.of(in.readNBytes(LARGEST + 1));
      }
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new ConfigRefused(name + ": it cannot be read");
    }
  }

  /** With what a file of some name says. */
  public static ConfigFile of(String name, byte[] content) throws ConfigRefused {
    if (content.length > LARGEST) {
      throw new ConfigRefused(name + ": it has more than " + LARGEST / 1024 + " KiB");
    }
    try (var reader = new ConfigReader(name, content)) {
      var root = reader.read();
      return new ConfigFile(name, root, Map.copyOf(reader.lines()));
    } catch (JsonProcessingException wrong) {
      // Its message would show a part of the file.
      var place = wrong.getLocation() == null ? "" : " line " + wrong.getLocation().getLineNr();
      throw new ConfigRefused(name + place + ": it cannot be read as YAML");
    } catch (IOException wrong) {
      throw new ConfigRefused(name + ": it is not a text in UTF-8");
    }
  }

  /** Refuses sections that say what cannot be. */
  public void check() throws ConfigRefused {
    for (var section : ConfigSection.values()) {
      if (!root.has(section.key())) {
        continue;
      }
      try {
        ProviderCatalogue.read().with(only(List.of(section)));
        PriceList.read().with(only(List.of(section)));
      } catch (IllegalArgumentException wrong) {
        throw new ConfigRefused(place(section.key()) + ": " + wrong.getMessage());
      }
    }
  }

  /** Some sections and nothing else. */
  JsonNode only(List<ConfigSection> sections) {
    return root.deepCopy().retain(sections.stream().map(ConfigSection::key).toList());
  }

  /** How people find it. */
  public String name() {
    return name;
  }

  /** Whether it says nothing. */
  public boolean isEmpty() {
    return root.isEmpty();
  }

  /** The keys at the top, or below some that are there. */
  public List<String> keys(String... above) {
    return at(above).propertyStream().map(Map.Entry::getKey).toList();
  }

  /** Whether what stands there has keys of its own. */
  public boolean hasKeys(String... path) {
    return at(path).isObject();
  }

  /** The value of an option, as it would be typed; empty where there is none. */
  public Optional<String> value(String... path) {
    var node = at(path);
    if (node.isArray() && node.valueStream().allMatch(ConfigFile::isText)) {
      return Optional.of(node.valueStream().map(JsonNode::asText).collect(Collectors.joining(",")));
    }
    return isText(node) ? Optional.of(node.asText()) : Optional.empty();
  }

  /** How many values stand there: as many as a list has, else one. */
  public int values(String... path) {
    return at(path).isArray() ? at(path).size() : 1;
  }

  private static boolean isText(JsonNode node) {
    return node.isValueNode() && !node.isNull();
  }

  private JsonNode at(String... path) {
    JsonNode node = root;
    for (var key : path) {
      node = node.path(key);
    }
    return node;
  }

  /** The file and the line of a key. */
  public String place(String... path) {
    var line = lines.get(List.of(path));
    return line == null ? name : name + " line " + line;
  }
}
