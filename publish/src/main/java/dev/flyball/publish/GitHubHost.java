package dev.flyball.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.source.Commit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * GitHub, or an Enterprise server.
 *
 * <p>What is posted at once is one review: all its comments or none. The summary is the text of the
 * first one, and is written again later; a later review has only a line beside its comments.
 * Whether a comment is ours is what GraphQL says ({@code viewerDidAuthor}), because a token of a
 * workflow cannot ask who it is, and because anybody could write our markers.
 */
final class GitHubHost implements CodeHost {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final int MOST_FILES = 3_000;
  private static final int MOST_COMPARED = 300;
  private static final long MOST_LINES = 20_000;
  private static final String DIFF = "application/vnd.github.diff";
  private static final String RAW = "application/vnd.github.raw+json";

  private static final String REVIEWS =
      """
      query($owner: String!, $name: String!, $number: Int!, $after: String) {
        repository(owner: $owner, name: $name) {
          pullRequest(number: $number) {
            reviews(first: 100, after: $after) {
              pageInfo { hasNextPage endCursor }
              nodes { databaseId body state viewerDidAuthor }
            }
          }
        }
      }
      """;
  private static final String THREADS =
      """
      query($owner: String!, $name: String!, $number: Int!, $after: String) {
        repository(owner: $owner, name: $name) {
          pullRequest(number: $number) {
            reviewThreads(first: 100, after: $after) {
              pageInfo { hasNextPage endCursor }
              nodes { id isResolved comments(first: 1) { nodes { body viewerDidAuthor } } }
            }
          }
        }
      }
      """;
  private static final String RESOLVE =
      """
      mutation($thread: ID!) {
        resolveReviewThread(input: {threadId: $thread}) { thread { id isResolved } }
      }
      """;

  private final HostConnection host;

  GitHubHost(HostConnection host) {
    this.host = host;
  }

  @Override
  public HostPlace place() {
    return host.place();
  }

  private static String pull(PullRequestName name) {
    return "/repos/" + name.repository() + "/pulls/" + name.number();
  }

  @Override
  public PullRequest read(PullRequestName name) throws HostTrouble, InterruptedException {
    var node = host.need(host.get(pull(name), "application/vnd.github+json"), name.toString());
    var pull = node.json();
    var head = pull.path("head").path("sha").asText();
    var target = pull.path("base").path("sha").asText();
    // The target branch may have gone on: the change starts where both have last met.
    var compared =
        host.need(
                host.get(
                    "/repos/%s/compare/%s...%s?per_page=1"
                        .formatted(
                            name.repository(), HostText.encoded(target), HostText.encoded(head)),
                    "application/vnd.github+json"),
                "commits " + target + " and " + head)
            .json();
    var base = compared.path("merge_base_commit").path("sha").asText(target);
    var from = pull.path("head").path("repo").path("full_name").asText("");
    return new PullRequest(
        name,
        pull.path("title").asText(""),
        pull.path("body").asText(""),
        base,
        target,
        head,
        pull.path("merged").asBoolean()
            ? PullRequest.State.MERGED
            : pull.path("state").asText().equals("open")
                ? PullRequest.State.OPEN
                : PullRequest.State.CLOSED,
        pull.path("draft").asBoolean(),
        !from.equalsIgnoreCase(name.repository()),
        pull.path("changed_files").asInt() > MOST_FILES
            || pull.path("additions").asLong() + pull.path("deletions").asLong() > MOST_LINES,
        HostText.moment(pull.path("updated_at").asText("")),
        pull.path("html_url").asText(""));
  }

  @Override
  public List<OpenPullRequest> open(String repository) throws HostTrouble, InterruptedException {
    return host
        .pages(
            "/repos/%s/pulls?state=open&sort=created&direction=asc&per_page=100"
                .formatted(repository))
        .stream()
        .map(
            pull ->
                new OpenPullRequest(
                    new PullRequestName(HostKind.GITHUB, repository, pull.path("number").asInt()),
                    pull.path("title").asText(""),
                    pull.path("head").path("sha").asText(),
                    pull.path("draft").asBoolean()))
        .toList();
  }

  @Override
  public byte[] patch(PullRequest pull) throws HostTrouble, InterruptedException {
    return host.need(host.get(pull(pull.name()), DIFF), "diff of " + pull.name()).body();
  }

  @Override
  public Optional<byte[]> file(PullRequestName name, String commit, String path)
      throws HostTrouble, InterruptedException {
    var reply =
        host.get(
            "/repos/%s/contents/%s?ref=%s"
                .formatted(name.repository(), HostText.encodedPath(path), HostText.encoded(commit)),
            RAW);
    return reply.status() == 404 ? Optional.empty() : Optional.of(host.need(reply, path).body());
  }

  @Override
  public List<Commit> commits(PullRequest pull) throws HostTrouble, InterruptedException {
    var all = new ArrayList<Commit>();
    for (var node : host.pages(pull(pull.name()) + "/commits?per_page=100")) {
      all.add(
          HostText.commit(node.path("sha").asText(), node.path("commit").path("message").asText()));
    }
    return all;
  }

  @Override
  public Optional<List<String>> changedSince(PullRequest pull, String earlier)
      throws HostTrouble, InterruptedException {
    var reply =
        host.get(
            "/repos/%s/compare/%s...%s?per_page=100"
                .formatted(
                    pull.name().repository(),
                    HostText.encoded(earlier),
                    HostText.encoded(pull.head())),
            "application/vnd.github+json");
    if (reply.status() == 404 || reply.status() == 422) {
      return Optional.empty();
    }
    var compared = host.need(reply, "commit " + earlier).json();
    var status = compared.path("status").asText();
    var files = compared.path("files");
    if (!(status.equals("ahead") || status.equals("identical")) || files.size() >= MOST_COMPARED) {
      return Optional.empty();
    }
    var paths = new ArrayList<String>();
    for (var file : files) {
      paths.add(file.path("filename").asText());
      if (file.hasNonNull("previous_filename")) {
        paths.add(file.path("previous_filename").asText());
      }
    }
    return Optional.of(paths);
  }

  @Override
  public String gitAddress(String repository) {
    return place().site() + "/" + repository + ".git";
  }

  @Override
  public Map<String, String> gitSettings() {
    return place()
        .token()
        .map(
            token ->
                Map.of(
                    "http.extraHeader",
                    "Authorization: Basic "
                        + Base64.getEncoder()
                            .encodeToString(
                                ("x-access-token:" + token).getBytes(StandardCharsets.UTF_8))))
        .orElse(Map.of());
  }

  @Override
  public Posted posted(PullRequestName name) throws HostTrouble, InterruptedException {
    var summary = Optional.<Posted.Summary>empty();
    var approval = Optional.<String>empty();
    for (var review : all(REVIEWS, "reviews", name)) {
      if (!review.path("viewerDidAuthor").asBoolean()) {
        continue;
      }
      var body = review.path("body").asText("");
      var id = review.path("databaseId").asText();
      var marker = Marker.in(body).filter(it -> it.finding().isEmpty());
      if (marker.isPresent() && summary.isEmpty()) {
        summary = Optional.of(new Posted.Summary(id, marker.get(), body));
      }
      if (review.path("state").asText().equals("APPROVED")) {
        approval = Optional.of(id);
      }
    }
    var comments = new ArrayList<Posted.Comment>();
    for (var thread : all(THREADS, "reviewThreads", name)) {
      var first = thread.path("comments").path("nodes").path(0);
      if (first.path("viewerDidAuthor").asBoolean()) {
        Marker.in(first.path("body").asText(""))
            .flatMap(Marker::finding)
            .ifPresent(
                id ->
                    comments.add(
                        new Posted.Comment(
                            id,
                            thread.path("id").asText(),
                            thread.path("isResolved").asBoolean())));
      }
    }
    return new Posted(summary, comments, approval);
  }

  private List<JsonNode> all(String query, String field, PullRequestName pull)
      throws HostTrouble, InterruptedException {
    var found = new ArrayList<JsonNode>();
    var parts = pull.repository().split("/", 2);
    String after = null;
    do {
      var variables =
          NODES
              .objectNode()
              .put("owner", parts[0])
              .put("name", parts[1])
              .put("number", pull.number())
              .put("after", after);
      var page = host.graph(query, variables).path("repository").path("pullRequest").path(field);
      page.path("nodes").forEach(found::add);
      var ahead = page.path("pageInfo");
      after = ahead.path("hasNextPage").asBoolean() ? ahead.path("endCursor").asText() : null;
    } while (after != null);
    return found;
  }

  @Override
  public Set<String> post(
      PullRequest pull,
      List<NewComment> comments,
      Function<Set<String>, String> words,
      boolean first)
      throws HostTrouble, InterruptedException {
    var placed = comments.stream().map(NewComment::finding).collect(Collectors.toSet());
    var reply = review(pull, comments, words.apply(placed));
    if (reply.status() == 422 && !comments.isEmpty()) {
      // One comment that it does not take is all of them: then the summary tells everything.
      if (!first) {
        return Set.of();
      }
      placed = Set.of();
      reply = review(pull, List.of(), words.apply(placed));
    }
    host.need(reply, pull.name().toString());
    return placed;
  }

  private HostReply review(PullRequest pull, List<NewComment> comments, String body)
      throws HostTrouble, InterruptedException {
    var review = NODES.objectNode();
    review.put("commit_id", pull.head()).put("event", "COMMENT").put("body", body);
    var list = review.putArray("comments");
    comments.forEach(each -> list.add(comment(each)));
    return host.write("POST", pull(pull.name()) + "/reviews", review);
  }

  private static ObjectNode comment(NewComment comment) {
    var at = comment.at();
    var side = side(at.side());
    var node = NODES.objectNode();
    node.put("path", at.newPath()).put("body", comment.body());
    node.put("line", at.line()).put("side", side);
    if (at.startLine() < at.line()) {
      node.put("start_line", at.startLine()).put("start_side", side);
    }
    return node;
  }

  private static String side(DiffSide side) {
    return side.toString().toUpperCase(Locale.ROOT);
  }

  @Override
  public void edit(PullRequestName name, Posted.Summary summary, String body)
      throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "PUT", pull(name) + "/reviews/" + summary.id(), NODES.objectNode().put("body", body)),
        "review " + summary.id());
  }

  @Override
  public void resolve(PullRequestName name, Posted.Comment comment)
      throws HostTrouble, InterruptedException {
    host.graph(RESOLVE, NODES.objectNode().put("thread", comment.thread()));
  }

  @Override
  public void approve(PullRequest pull, String words) throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "POST",
            pull(pull.name()) + "/reviews",
            NODES
                .objectNode()
                .put("commit_id", pull.head())
                .put("event", "APPROVE")
                .put("body", words)),
        pull.name().toString());
  }

  @Override
  public void takeBack(PullRequestName name, String approval)
      throws HostTrouble, InterruptedException {
    host.need(
        host.write(
            "PUT",
            pull(name) + "/reviews/" + approval + "/dismissals",
            NODES
                .objectNode()
                .put("message", "The newest review does not approve any more.")
                .put("event", "DISMISS")),
        "review " + approval);
  }

  @Override
  public String suggestion(int lines) {
    return "suggestion";
  }

  @Override
  public void close() {
    host.close();
  }
}
