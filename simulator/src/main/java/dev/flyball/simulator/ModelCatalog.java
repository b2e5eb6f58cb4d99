package dev.flyball.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.simulator.limit.Limit;
import dev.flyball.simulator.setting.Profile;
import dev.flyball.simulator.setting.ProviderStyle;
import dev.flyball.simulator.setting.Settings;
import java.util.ArrayList;
import java.util.List;

/** The lists that providers hand out: the models of an account, and its limits. */
final class ModelCatalog {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ModelCatalog() {}

  static JsonNode models(ProviderStyle style, Profile profile) {
    List<String> names = new ArrayList<>();
    for (Profile.ModelClass each : profile.classes()) {
      names.addAll(each.models());
    }
    if (names.isEmpty()) {
      names.add(style == ProviderStyle.ANTHROPIC ? "claude-sonnet-4-5" : "gpt-4o");
    }
    return models(style, names);
  }

  /** As Anthropic lists them to administrators: by class, or that of one model. */
  static JsonNode rateLimits(Settings settings, String model, long now) {
    ObjectNode list = JSON.objectNode();
    ArrayNode all = list.putArray("data");
    Profile profile = settings.profile();
    List<Profile.ModelClass> classes =
        model.isEmpty()
            ? profile.classes().stream().filter(each -> !each.models().isEmpty()).toList()
            : List.of(profile.classOf(model));
    for (Profile.ModelClass each : classes) {
      ObjectNode group = all.addObject().put("type", "rate_limit").put("group_type", "model_group");
      ArrayNode models = group.putArray("models");
      each.models().forEach(models::add);
      if (each.models().isEmpty()) {
        models.add(model);
      }
      ArrayNode limits = group.putArray("limits");
      for (Limit limit : settings.limitsOf(each, now)) {
        if (limit.kind() != Limit.Kind.CONCURRENCY) {
          limits
              .addObject()
              .put("type", limit.dimension().noun().replace(' ', '_') + "_per_" + limit.per())
              .put("value", limit.amount());
        }
      }
    }
    return list.putNull("next_page");
  }

  private static JsonNode models(ProviderStyle style, List<String> names) {
    ObjectNode list = JSON.objectNode();
    ArrayNode all = list.putArray("data");
    for (String name : names) {
      ObjectNode model = all.addObject().put("id", name);
      if (style == ProviderStyle.ANTHROPIC) {
        model.put("type", "model").put("display_name", name);
        model.put("created_at", "2026-01-01T00:00:00Z");
      } else {
        model.put("object", "model").put("created", 1_767_225_600).put("owned_by", "simulator");
      }
    }
    if (style == ProviderStyle.ANTHROPIC) {
      list.put("has_more", false).put("first_id", names.getFirst());
      list.put("last_id", names.getLast());
    } else {
      list.put("object", "list");
    }
    return list;
  }
}
