package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.patch.HunkLine;
import dev.flyball.review.source.Commit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * GitLab, or a server of one's own.
 *
 * <p>Here each comment is a discussion, posted by itself, and the summary is a note. So the
 * comments go first: whoever is killed between two of them finds those again by their markers, and
 * the summary is never about comments that are not there. Whether a note is ours is told by the id
 * of its author.
 */
final class GitLabHost implements CodeHost {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int MOST_FILES = 1_000;

  private final HostConnection host;
  private @Nullable Long self;

  GitLabHost(HostConnection host) {
    this.host = host;
  }

  @Override
  public HostPlace place() {
    return host.place();
  }

  private static String project(String repository) {
    return "/projects/" + HostText.encoded(repository);
  }

  private static String merge(PullRequestName name) {
    return project(name.repository()) + "/merge_requests/" + name.number();
  }

  @Override
  public PullRequest read(PullRequestName name) throws HostTrouble, InterruptedException {
    var pull = host.need(host.get(merge(name), "application/json"), name.toString()).json();
    var refs = pull.path("diff_refs");
    var head = refs.path("head_sha").asText(pull.path("sha").asText());
    if (!refs.hasNonNull("base_sha")) {
      throw new HostTrouble(
          HostTrouble.Reason.INVALID,
          "%s has no change to look at yet: %s is still being prepared".formatted(place(), name));
    }
    var count = pull.path("changes_count").asText("0");
    var state = pull.path("state").asText();
    return new PullRequest(
        name,
        pull.path("title").asText(""),
        pull.path("description").asText(""),
        refs.path("base_sha").asText(),
        refs.path("start_sha").asText(refs.path("base_sha").asText()),
        head,
        state.equals("merged")
            ? PullRequest.State.MERGED
            : state.equals("opened") ? PullRequest.State.OPEN : PullRequest.State.CLOSED,
        pull.path("draft").asBoolean() || pull.path("work_in_progress").asBoolean(),
        pull.path("source_project_id").asLong() != pull.path("target_project_id").asLong(),
        count.endsWith("+")
            || (count.matches("[0-9]{1,9}") && Integer.parseInt(count) > MOST_FILES),
        HostText.moment(pull.path("updated_at").asText("")),
        pull.path("web_url").asText(""));
  }

  @Override
  public List<OpenPullRequest> open(String repository) throws HostTrouble, InterruptedException {
    return host
        .pages(
            project(repository)
                + "/merge_requests?state=opened&order_by=created_at&sort=asc&per_page=100")
        .stream()
        .map(
            pull ->
                new OpenPullRequest(
                    new PullRequestName(HostKind.GITLAB, repository, pull.path("iid").asInt()),
                    pull.path("title").asText(""),
                    pull.path("sha").asText(),
                    pull.path("draft").asBoolean()))
        .toList();
  }

  @Override
  public byte[] patch(PullRequest pull) throws HostTrouble, InterruptedException {
    for (var file : host.pages(merge(pull.name()) + "/diffs?per_page=100")) {
      if (file.path("too_large").asBoolean() || file.path("collapsed").asBoolean()) {
        throw new HostTrouble(
            HostTrouble.Reason.TOO_LARGE,
            "%s does not show all of %s".formatted(place(), pull.name()));
      }
    }
    return host.need(
            host.get(merge(pull.name()) + "/raw_diffs", "text/plain"), "diff of " + pull.name())
        .body();
  }

  @Override
  public Optional<byte[]> file(PullRequestName name, String commit, String path)
      throws HostTrouble, InterruptedException {
    var reply =
        host.get(
            "%s/repository/files/%s/raw?ref=%s"
                .formatted(
                    project(name.repository()), HostText.encoded(path), HostText.encoded(commit)),
            "*/*");
    return reply.status() == 404 ? Optional.empty() : Optional.of(host.need(reply, path).body());
  }

  @Override
  public List<Commit> commits(PullRequest pull) throws HostTrouble, InterruptedException {
    var all = new ArrayList<Commit>();
    for (var node : host.pages(merge(pull.name()) + "/commits?per_page=100")) {
      all.add(HostText.commit(node.path("id").asText(), node.path("message").asText()));
    }
    return all.reversed();
  }

  @Override
  public Optional<List<String>> changedSince(PullRequest pull, String earlier)
      throws HostTrouble, InterruptedException {
    if (earlier.equals(pull.head())) {
      return Optional.of(List.of());
    }
    // It is part of the branch if it is where both last met.
    var repository = project(pull.name().repository()) + "/repository";
    var met =
        host.get(
            "%s/merge_base?refs[]=%s&refs[]=%s"
                .formatted(repository, HostText.encoded(earlier), HostText.encoded(pull.head())),
            "application/json");
    if (!met.worked() || !met.json().path("id").asText().equals(earlier)) {
      return Optional.empty();
    }
    var compared =
        host.get(
            "%s/compare?from=%s&to=%s&straight=true"
                .formatted(repository, HostText.encoded(earlier), HostText.encoded(pull.head())),
            "application/json");
    if (!compared.worked()
        || compared.json().path("compare_timeout").asBoolean()
        || compared.json().path("diffs").size() >= MOST_FILES) {
      return Optional.empty();
    }
    var paths = new ArrayList<String>();
    for (var file : compared.json().path("diffs")) {
      paths.add(file.path("new_path").asText());
      paths.add(file.path("old_path").asText());
    }
    return Optional.of(paths.stream().distinct().toList());
  }

  @Override
  public String gitAddress(String repository) {
    return place().site() + "/" + repository + ".git";
  }

  @Override
  public Map<String, String> gitSettings() {
    return place()
        .token()
        .map(token -> Map.of("http.extraHeader", "PRIVATE-TOKEN: " + token))
        .orElse(Map.of());
  }

  @Override
  public Posted posted(PullRequestName name) throws HostTrouble, InterruptedException {
    long me = self();
    var summary = Optional.<Posted.Summary>empty();
    var comments = new ArrayList<Posted.Comment>();
    for (var thread : host.pages(merge(name) + "/discussions?per_page=100")) {
      var note = thread.path("notes").path(0);
      if (note.path("author").path("id").asLong(-1) != me) {
        continue;
      }
      var body = note.path("body").asText("");
      var marker = Marker.in(body);
      if (marker.isEmpty()) {
        continue;
      }
      if (marker.get().finding().isPresent()) {
        comments.add(
            new Posted.Comment(
                marker.get().finding().get(),
                thread.path("id").asText(),
                note.path("resolved").asBoolean()));
      } else if (summary.isEmpty()) {
        summary = Optional.of(new Posted.Summary(note.path("id").asText(), marker.get(), body));
      }
    }
    return new Posted(summary, comments, approval(name, me));
  }

  private long self() throws HostTrouble, InterruptedException {
    var known = self;
    if (known == null) {
      known = host.need(host.get("/user", "application/json"), "user").json().path("id").asLong();
      self = known;
    }
    return known;
  }

  private Optional<String> approval(PullRequestName name, long me)
      throws HostTrouble, InterruptedException {
    var reply = host.get(merge(name) + "/approvals", "application/json");
    if (!reply.worked()) {
      return Optional.empty();
    }
    for (JsonNode each : reply.json().path("approved_by")) {
      if (each.path("user").path("id").asLong(-1) == me) {
        return Optional.of(Long.toString(me));
      }
    }
    return Optional.empty();
  }

  @Override
  public Set<String> post(
      PullRequest pull,
      List<NewComment> comments,
      Function<Set<String>, String> words,
      boolean first)
      throws HostTrouble, InterruptedException {
    var placed = new HashSet<String>();
    for (var comment : comments) {
      var body = NODES.objectNode().put("body", comment.body());
      body.set("position", position(pull, comment.at()));
      var reply = host.write("POST", merge(pull.name()) + "/discussions", body);
      if (reply.status() != 400 && reply.status() != 422) {
        host.need(reply, pull.name().toString());
        placed.add(comment.finding());
      }
    }
    if (first) {
      host.need(
          host.write(
              "POST",
              merge(pull.name()) + "/notes",
              NODES.objectNode().put("body", words.apply(placed))),
          pull.name().toString());
    }
    return placed;
  }

  /** A line that is on both sides is named by both its numbers, another by the one that it has. */
  private static ObjectNode position(PullRequest pull, Anchor at) {
    var node = NODES.objectNode();
    node.put("position_type", "text");
    node.put("base_sha", pull.base()).put("start_sha", pull.start()).put("head_sha", pull.head());
    node.put("old_path", at.oldPath()).put("new_path", at.newPath());
    lines(node, at.end());
    if (at.startLine() < at.line()) {
      var range = node.putObject("line_range");
      range.set("start", rangeEnd(at, at.start()));
      range.set("end", rangeEnd(at, at.end()));
    }
    return node;
  }

  private static void lines(ObjectNode node, Anchor.End end) {
    if (end.kind() != HunkLine.Kind.ADDED) {
      node.put("old_line", end.old());
    }
    if (end.kind() != HunkLine.Kind.DELETED) {
      node.put("new_line", end.now());
    }
  }

  private static ObjectNode rangeEnd(Anchor at, Anchor.End end) {
    var node = NODES.objectNode();
    node.put("line_code", "%s_%d_%d".formatted(sha1(at.newPath()), end.old(), end.now()));
    node.put("type", end.kind() == HunkLine.Kind.DELETED ? "old" : "new");
    lines(node, end);
    return node;
  }

  /** It names files by this, and not to keep anything safe. */
  private static String sha1(String path) {
    try {
      var hash = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(hash.digest(path.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void edit(PullRequestName name, Posted.Summary summary, String body)
      throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "PUT", merge(name) + "/notes/" + summary.id(), NODES.objectNode().put("body", body)),
        "note " + summary.id());
  }

  @Override
  public void resolve(PullRequestName name, Posted.Comment comment)
      throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "PUT",
            merge(name) + "/discussions/" + comment.thread(),
            NODES.objectNode().put("resolved", true)),
        "discussion " + comment.thread());
  }

  @Override
  public void approve(PullRequest pull, String words) throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "POST", merge(pull.name()) + "/approve", NODES.objectNode().put("sha", pull.head())),
        pull.name().toString());
  }

  @Override
  public void takeBack(PullRequestName name, String approval)
      throws HostTrouble, InterruptedException {
    host.need(host.write("POST", merge(name) + "/unapprove", NODES.objectNode()), name.toString());
  }

  @Override
  public String suggestion(int lines) {
    return "suggestion:-%d+0".formatted(lines - 1);
  }

  @Override
  public void close() {
    host.close();
  }
}
