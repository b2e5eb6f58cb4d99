package dev.flyball.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Dimension;
import dev.flyball.call.LaneId;
import dev.flyball.call.LearnedLimits;
import dev.flyball.llm.token.TokenCounter;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The lessons of runs, in a file between them: limits of lanes, and what prompts are in tokens.
 * Keys are in it as fingerprints only.
 */
public record LearnedFile(LearnedLimits lanes, Map<String, TokenCounter.Learned> tokens) {
  public static final LearnedFile NOTHING = new LearnedFile(LearnedLimits.NONE, Map.of());

  /** Of the file, in the state folder. */
  public static final String NAME = "learned.json";

  private static final int VERSION = 2;

  /** The one whose lanes do not say at which address they were learned. */
  private static final int WITHOUT_ADDRESSES = 1;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public LearnedFile {
    tokens = Map.copyOf(tokens);
  }

  /**
   * Reads it from the state folder; where there is none, nothing was learned.
   *
   * @throws IOException if there is one and it cannot be understood
   */
  public static LearnedFile read(StateFolder state) throws IOException {
    var content = state.read(NAME);
    if (content.isEmpty()) {
      return NOTHING;
    }
    try (var in = content.get()) {
      var root = JSON.readTree(in.readAllBytes());
      int version = root.path("version").asInt();
      if (version != VERSION && version != WITHOUT_ADDRESSES) {
        throw new IOException("its version is " + root.path("version") + " and not " + VERSION);
      }
      var lanes = new HashMap<LaneId, LearnedLimits.OfLane>();
      // Nobody knows any more whose limits those without an address are.
      for (var lane : version == VERSION ? root.path("lanes") : JSON.createArrayNode()) {
        lanes.put(
            new LaneId(
                lane.path("provider").asText(),
                lane.path("models").asText(),
                lane.path("key").asText(),
                lane.path("organisation").asText()),
            ofLane(lane));
      }
      var tokens = new HashMap<String, TokenCounter.Learned>();
      root.path("tokens")
          .properties()
          .forEach(
              entry ->
                  tokens.put(
                      entry.getKey(),
                      new TokenCounter.Learned(
                          entry.getValue().path("factor").asDouble(),
                          entry.getValue().path("error").asDouble(),
                          entry.getValue().path("samples").asLong())));
      return new LearnedFile(new LearnedLimits(lanes), tokens);
    } catch (JsonProcessingException garbled) {
      throw new IOException("it is not valid JSON", garbled);
    } catch (IllegalArgumentException | DateTimeException | IOException damaged) {
      throw new IOException("it cannot be read: " + damaged.getMessage(), damaged);
    }
  }

  private static LearnedLimits.OfLane ofLane(JsonNode lane) {
    var allowances = new ArrayList<LearnedLimits.Learned>();
    for (var each : lane.path("limits")) {
      var period = Duration.parse(each.path("per").asText());
      allowances.add(
          new LearnedLimits.Learned(
              new Dimension(each.path("of").asText(), period),
              each.path("limit").asLong(),
              each.path("perSecond").asDouble()));
    }
    var pace = lane.path("pace");
    var outputs = new HashMap<String, Long>();
    lane.path("outputs")
        .properties()
        .forEach(entry -> outputs.put(entry.getKey(), sane(entry.getValue().asLong())));
    return new LearnedLimits.OfLane(
        allowances,
        new LearnedLimits.Felt(
            pace.path("perSecond").asDouble(), pace.path("burst").asDouble(), explanations(pace)),
        outputs,
        lane.path("ramp").asDouble() > 0 ? Math.min(1, lane.path("ramp").asDouble()) : 0,
        Instant.parse(lane.path("at").asText()));
  }

  private static List<LearnedLimits.Explanation> explanations(JsonNode pace) {
    var explanations = new ArrayList<LearnedLimits.Explanation>();
    for (var each : pace.path("explanations")) {
      var shape =
          new LearnedLimits.Shape(
              LearnedLimits.Kind.valueOf(each.path("kind").asText()),
              each.path("span").asDouble(),
              each.path("extra").asDouble(),
              each.path("countsRefused").asBoolean(),
              each.path("inTokens").asBoolean());
      explanations.add(
          new LearnedLimits.Explanation(
              each.path("limit").asInt(),
              shape,
              each.path("line").asDouble(),
              each.path("say").asDouble()));
    }
    return explanations;
  }

  /** What makes no sense, in a file that somebody edited, is never believed. */
  private static long sane(long tokens) {
    return Math.clamp(tokens, 0, 1L << 40);
  }

  /** These on top of others; of a lane, what was learned last. */
  public LearnedFile over(LearnedFile others) {
    var all = new HashMap<>(others.lanes.lanes());
    lanes
        .lanes()
        .forEach(
            (id, lane) ->
                all.merge(id, lane, (old, now) -> old.at().isAfter(now.at()) ? old : now));
    var counts = new HashMap<>(others.tokens);
    counts.putAll(tokens);
    return new LearnedFile(new LearnedLimits(all), counts);
  }

  /** The same without some lanes. */
  public LearnedFile without(Predicate<LaneId> forgotten) {
    var others = new HashMap<>(lanes.lanes());
    others.keySet().removeIf(forgotten);
    return new LearnedFile(new LearnedLimits(others), tokens);
  }

  /** Replaces the file in one step: whoever reads it sees the old or the new one, whole. */
  public void write(StateFolder state) throws IOException {
    ObjectNode root = JSON.createObjectNode().put("version", VERSION);
    var array = root.putArray("lanes");
    lanes.lanes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey(java.util.Comparator.comparing(LaneId::toString)))
        .forEach(entry -> write(array.addObject(), entry.getKey(), entry.getValue()));
    var counts = root.putObject("tokens");
    tokens.forEach(
        (model, known) ->
            counts
                .putObject(model)
                .put("factor", known.factor())
                .put("error", known.error())
                .put("samples", known.samples()));
    state.replace(NAME, JSON.writeValueAsBytes(root));
  }

  private static void write(ObjectNode node, LaneId id, LearnedLimits.OfLane lane) {
    node.put("provider", id.provider())
        .put("models", id.modelClass())
        .put("key", id.keyFingerprint())
        .put("organisation", id.organisation())
        .put("at", lane.at().toString());
    var limits = node.putArray("limits");
    for (var each : lane.allowances()) {
      if (!Double.isFinite(each.perSecond())) {
        continue;
      }
      limits
          .addObject()
          .put("of", each.dimension().name())
          .put("per", each.dimension().period().toString())
          .put("limit", each.limit())
          .put("perSecond", each.perSecond());
    }
    var pace = node.putObject("pace");
    pace.put("perSecond", lane.pace().perSecond()).put("burst", lane.pace().burst());
    var explanations = pace.putArray("explanations");
    for (var each : lane.pace().explanations()) {
      explanations
          .addObject()
          .put("limit", each.limit())
          .put("kind", each.shape().kind().name())
          .put("span", each.shape().span())
          .put("extra", each.shape().extra())
          .put("countsRefused", each.shape().countsRefused())
          .put("inTokens", each.shape().inTokens())
          .put("line", each.line())
          .put("say", each.say());
    }
    var outputs = node.putObject("outputs");
    lane.outputs().forEach(outputs::put);
    node.put("ramp", lane.rampShare());
  }
}
