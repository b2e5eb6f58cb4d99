package dev.flyball.review.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.report.ReviewCodec;
import dev.flyball.review.report.StoredReview;
import dev.flyball.run.file.StateFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The reviews that were run, each in a file of the user's state folder, so that any report of one
 * can be written again. The last hundred are kept.
 */
public final class StoredRuns {
  /** Which run is meant by who names none. */
  public static final String LAST = "last";

  private static final int KEPT = 100;
  private static final String END = ".json";
  private static final Pattern NAME = Pattern.compile("[0-9]{8}-[0-9]{6}-[0-9a-f]{8}");
  private static final DateTimeFormatter STARTED =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StateFolder folder;

  private StoredRuns(StateFolder folder) {
    this.folder = folder;
  }

  /** Those of the user whose environment this is. */
  public static StoredRuns of(Map<String, String> environment) throws IOException {
    return new StoredRuns(StateFolder.of(environment).folder("runs"));
  }

  /** An id for a run that begins now, which sorts by time. */
  public static String name(Instant now) {
    return STARTED.format(now) + "-" + UUID.randomUUID().toString().substring(0, 8);
  }

  /** Keeps one; one of the same id is replaced. */
  public void keep(StoredReview stored) throws IOException {
    folder.replace(
        checked(stored.run()) + END,
        AsciiJson.compact(ReviewCodec.write(stored)).getBytes(StandardCharsets.UTF_8));
    for (var old : names().stream().skip(KEPT).toList()) {
      folder.delete(old + END);
    }
  }

  /**
   * The one of an id, or the last one; empty if there is none.
   *
   * @throws IOException for one that cannot be read
   */
  public Optional<StoredReview> find(String run) throws IOException {
    var all = names();
    var id = run.equals(LAST) ? (all.isEmpty() ? "" : all.getFirst()) : run;
    return NAME.matcher(id).matches() ? read(id) : Optional.empty();
  }

  private Optional<StoredReview> read(String id) throws IOException {
    var kept = folder.read(id + END);
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    try (var in = kept.get()) {
      return Optional.of(ReviewCodec.read(JSON.readTree(in)));
    } catch (JsonProcessingException | RuntimeException damaged) {
      throw new IOException(
          "run %s cannot be read: it is damaged, or of another version of Flyball".formatted(id),
          damaged);
    }
  }

  /** All ids, the latest first. */
  public List<String> names() throws IOException {
    var path = folder.path();
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (var files = Files.list(path)) {
      return files
          .map(Path::getFileName)
          .map(String::valueOf)
          .filter(name -> name.endsWith(END))
          .map(name -> name.substring(0, name.length() - END.length()))
          .filter(name -> NAME.matcher(name).matches())
          .sorted(Comparator.reverseOrder())
          .toList();
    }
  }

  private static String checked(String run) {
    if (!NAME.matcher(run).matches()) {
      throw new IllegalArgumentException("a run has an id of ours, but was '" + run + "'");
    }
    return run;
  }
}
