package dev.flyball.run.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.llm.ProviderCatalogue;
import dev.flyball.llm.price.PriceList;
import java.util.Arrays;
import java.util.List;

/**
 * The settings that a run starts from: the user's own file, which may say everything and has the
 * last word, and the project's, of which only what a project may say counts.
 */
public record ConfigFiles(ConfigFile user, ConfigFile project) {
  /** For those who have none. */
  public static final ConfigFiles NONE =
      new ConfigFiles(ConfigFile.empty("config.yaml"), ConfigFile.empty(ConfigFile.PROJECT));

  /** What is known of providers. */
  public ProviderCatalogue catalogue() {
    var forProjects =
        Arrays.stream(ConfigSection.values()).filter(ConfigSection::isForProjects).toList();
    return ProviderCatalogue.read()
        .with(project.only(forProjects))
        .with(user.only(List.of(ConfigSection.values())));
  }

  /** What models cost. */
  public PriceList prices() {
    return PriceList.read().with(user.only(List.of(ConfigSection.PRICES)));
  }

  /** Questions of one's own for reviews; of two with one name the user's counts. */
  public JsonNode lenses() {
    var key = ConfigSection.LENSES.key();
    var all = JsonNodeFactory.instance.objectNode();
    for (var file : List.of(project, user)) {
      file.only(List.of(ConfigSection.LENSES))
          .path(key)
          .propertyStream()
          .forEach(lens -> all.set(lens.getKey(), lens.getValue()));
    }
    return all;
  }
}
