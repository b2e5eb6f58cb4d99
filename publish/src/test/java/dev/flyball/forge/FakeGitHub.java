package dev.flyball.forge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** GitHub's interface, REST and GraphQL, as an Enterprise server has it. */
public final class FakeGitHub extends Forge {
  private static final Pattern PULL =
      Pattern.compile("/api/v3/repos/([^/]+/[^/]+)/pulls(?:/(\\d+)(/.*)?)?");
  private static final Pattern COMPARE =
      Pattern.compile("/api/v3/repos/([^/]+/[^/]+)/compare/([^/.]+)\\.\\.\\.([^/.]+)");
  private static final Pattern CONTENTS =
      Pattern.compile("/api/v3/repos/([^/]+/[^/]+)/contents/(.*)");
  private static final int LONGEST_BODY = 65_536;

  /** A review as it is kept. */
  public static final class Review {
    final long id;
    final long author;
    final String commit;
    String state;
    String body;

    Review(long id, long author, String commit, String state, String body) {
      this.id = id;
      this.author = author;
      this.commit = commit;
      this.state = state;
      this.body = body;
    }

    public String body() {
      return body;
    }

    public String state() {
      return state;
    }
  }

  /** A comment beside the code, with its thread. */
  public static final class ReviewThread {
    final String id;
    final long author;
    final String path;
    final String side;
    final int start;
    final int line;
    final String body;
    boolean resolved;

    ReviewThread(
        String id, long author, String path, String side, int start, int line, String body) {
      this.id = id;
      this.author = author;
      this.path = path;
      this.side = side;
      this.start = start;
      this.line = line;
      this.body = body;
    }

    public String path() {
      return path;
    }

    public String side() {
      return side;
    }

    public int start() {
      return start;
    }

    public int line() {
      return line;
    }

    public String body() {
      return body;
    }

    public boolean resolved() {
      return resolved;
    }
  }

  private final Map<String, List<Review>> reviews = new LinkedHashMap<>();
  private final Map<String, List<ReviewThread>> threads = new LinkedHashMap<>();
  private long mostDiff = 1_000_000;

  public FakeGitHub() throws IOException {
    super();
  }

  public String api() {
    return site() + "/api/v3";
  }

  /** A diff that is longer is not shown. */
  public void mostDiff(long bytes) {
    mostDiff = bytes;
  }

  public List<Review> reviews(String repository, int number) {
    return reviews.getOrDefault(repository + "#" + number, List.of());
  }

  public List<ReviewThread> threads(String repository, int number) {
    return threads.getOrDefault(repository + "#" + number, List.of());
  }

  /** Somebody else writes a comment. */
  public void comment(String repository, int number, long author, String path, String body) {
    threads
        .computeIfAbsent(repository + "#" + number, key -> new ArrayList<>())
        .add(new ReviewThread("T" + id(), author, path, "RIGHT", 1, 1, body));
  }

  /** Somebody says that a thread is dealt with. */
  public void resolve(String repository, int number, int thread) {
    threads(repository, number).get(thread).resolved = true;
  }

  @Override
  void limits(HttpExchange exchange, long left, long reset) {
    var headers = exchange.getResponseHeaders();
    headers.set("X-RateLimit-Limit", "5000");
    headers.set("X-RateLimit-Remaining", Long.toString(left));
    headers.set("X-RateLimit-Reset", Long.toString(reset));
  }

  @Override
  Said beyond(HttpExchange exchange) {
    return isRead(exchange)
        ? graphError("RATE_LIMITED", "API rate limit exceeded for user.")
        : error(403, "API rate limit exceeded for user.");
  }

  private @Nullable User user(HttpExchange exchange) {
    var said =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")).orElse("");
    return users.get(said.replaceFirst("^(?i)bearer ", ""));
  }

  @Override
  Said answer(HttpExchange exchange, JsonNode body) throws IOException {
    boolean named = exchange.getRequestHeaders().containsKey("Authorization");
    var user = user(exchange);
    if (named && user == null) {
      return error(401, "Bad credentials");
    }
    var path = exchange.getRequestURI().getRawPath();
    if (path.equals("/api/graphql")) {
      return user == null
          ? error(401, "This endpoint requires you to be authenticated.")
          : graph(user, body);
    }
    boolean write = !exchange.getRequestMethod().equals("GET");
    if (write && (user == null || !user.writes() || readOnly)) {
      return error(403, "Resource not accessible by integration");
    }
    var pull = PULL.matcher(path);
    if (pull.matches()) {
      return pull.group(2) == null
          ? page(exchange, open(pull.group(1)), 100)
          : ofPull(exchange, pull, user, body);
    }
    var compare = COMPARE.matcher(path);
    if (compare.matches()) {
      return compared(compare.group(1), compare.group(2), compare.group(3));
    }
    var contents = CONTENTS.matcher(path);
    if (contents.matches()) {
      return contents(contents.group(1), decoded(contents.group(2)), query(exchange).get("ref"));
    }
    return error(404, "Not Found");
  }

  private Git git(String repository) {
    var git = repositories.get(repository);
    if (git == null) {
      throw new IllegalArgumentException("no repository " + repository);
    }
    return git;
  }

  private String base(String repository, Pull pull) {
    return git(repository).say("merge-base", pull.target, pull.head);
  }

  private List<ObjectNode> open(String repository) {
    return pulls(repository).values().stream()
        .filter(it -> it.state.equals("open"))
        .map(it -> node(repository, it))
        .toList();
  }

  private ObjectNode node(String repository, Pull pull) {
    var node = node();
    node.put("number", pull.number).put("title", pull.title).put("body", pull.text);
    node.put("state", pull.state.equals("open") ? "open" : "closed");
    node.put("merged", pull.state.equals("merged")).put("draft", pull.draft);
    node.put("updated_at", "2026-11-01T00:00:00Z");
    node.put("html_url", site() + "/" + repository + "/pull/" + pull.number);
    var head = node.putObject("head").put("sha", pull.head).put("ref", "feature");
    head.putObject("repo").put("full_name", pull.fork ? "stranger/fork" : repository);
    node.putObject("base").put("sha", pull.target).put("ref", "main");
    return node;
  }

  private Said ofPull(HttpExchange exchange, Matcher at, @Nullable User user, JsonNode body) {
    var repository = at.group(1);
    var pull = pull(repository, Integer.parseInt(at.group(2)));
    var rest = at.group(3) == null ? "" : at.group(3);
    var method = exchange.getRequestMethod();
    if (rest.isEmpty() && method.equals("GET")) {
      return shown(exchange, repository, pull);
    }
    if (rest.equals("/commits") && method.equals("GET")) {
      return page(exchange, commits(repository, pull), 100);
    }
    if (user == null) {
      return error(404, "Not Found");
    }
    var key = repository + "#" + pull.number;
    var kept = reviews.computeIfAbsent(key, name -> new ArrayList<>());
    if (rest.equals("/reviews") && method.equals("POST")) {
      return review(repository, pull, user, body);
    }
    var one = Pattern.compile("/reviews/(\\d+)(/dismissals)?").matcher(rest);
    if (one.matches() && method.equals("PUT")) {
      long id = Long.parseLong(one.group(1));
      var review = kept.stream().filter(it -> it.id == id).findFirst().orElse(null);
      if (review == null) {
        return error(404, "Not Found");
      }
      if (one.group(2) != null) {
        if (!review.state.equals("APPROVED") && !review.state.equals("CHANGES_REQUESTED")) {
          return error(422, "Can not dismiss a commented pull request review");
        }
        review.state = "DISMISSED";
        return Said.of(200, node().put("id", id));
      }
      if (review.author != user.id()) {
        return error(403, "Must be the author");
      }
      var text = body.path("body").asText("");
      if (text.isEmpty() || text.length() > LONGEST_BODY) {
        return invalid("body is too long (maximum is 65536 characters)");
      }
      review.body = text;
      return Said.of(200, node().put("id", id));
    }
    return error(404, "Not Found");
  }

  private Said shown(HttpExchange exchange, String repository, Pull pull) {
    var git = git(repository);
    var accept = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Accept")).orElse("");
    if (accept.contains("diff")) {
      var text = ForgeDiff.text(git, base(repository, pull), pull.head);
      return text.length() > mostDiff
          ? error(406, "Sorry, the diff exceeded the maximum number of lines (20000)")
          : Said.text(text);
    }
    var node = node(repository, pull);
    int added = 0;
    int deleted = 0;
    var files = ForgeDiff.of(git, base(repository, pull), pull.head);
    for (var file : files) {
      for (var line : file.lines()) {
        added += line.kind() == '+' ? 1 : 0;
        deleted += line.kind() == '-' ? 1 : 0;
      }
    }
    node.put("changed_files", files.size()).put("additions", added).put("deletions", deleted);
    return Said.of(200, node);
  }

  private List<ObjectNode> commits(String repository, Pull pull) {
    var all = new ArrayList<ObjectNode>();
    var said =
        git(repository).say("log", "--reverse", "--format=%H", pull.target + ".." + pull.head);
    for (var id : said.split("\n", -1)) {
      if (!id.isBlank()) {
        var node = node().put("sha", id);
        node.putObject("commit")
            .put("message", git(repository).say("log", "-1", "--format=%B", id));
        all.add(node);
      }
    }
    return all;
  }

  private Said compared(String repository, String from, String to) {
    var git = git(repository);
    if (!git.agrees("cat-file", "-e", from + "^{commit}")
        || !git.agrees("cat-file", "-e", to + "^{commit}")) {
      return error(404, "Not Found");
    }
    var met = git.say("merge-base", from, to);
    var node = node();
    node.putObject("merge_base_commit").put("sha", met);
    node.put(
        "status",
        from.equals(to)
            ? "identical"
            : met.equals(from) ? "ahead" : met.equals(to) ? "behind" : "diverged");
    var files = node.putArray("files");
    for (var file : ForgeDiff.of(git, met, to).stream().limit(300).toList()) {
      var each = files.addObject().put("filename", file.newPath());
      if (!file.oldPath().equals(file.newPath())) {
        each.put("previous_filename", file.oldPath());
      }
    }
    return Said.of(200, node);
  }

  private Said contents(String repository, String path, @Nullable String ref) {
    var git = git(repository);
    return ref != null && git.agrees("cat-file", "-e", ref + ":" + path)
        ? new Said(200, git.bytes("cat-file", "blob", ref + ":" + path))
        : error(404, "Not Found");
  }

  private static Said invalid(String why) {
    var node = node().put("message", "Unprocessable Entity");
    node.putArray("errors").add(why);
    return Said.of(422, node);
  }

  private Said review(String repository, Pull pull, User user, JsonNode body) {
    var commit = body.path("commit_id").asText(pull.head);
    if (!pull.heads.contains(commit) || !git(repository).agrees("cat-file", "-e", commit)) {
      return invalid("commit_id is not part of the pull request");
    }
    // After a push by force the old commits are no longer part of it.
    if (!git(repository).agrees("merge-base", "--is-ancestor", commit, pull.head)) {
      return invalid("commit_id is not part of the pull request");
    }
    var event = body.path("event").asText("");
    var text = body.path("body").asText("");
    if (!List.of("COMMENT", "APPROVE", "REQUEST_CHANGES").contains(event)) {
      return invalid("Variable $event of type PullRequestReviewEvent was provided invalid value");
    }
    if (text.isEmpty() && !event.equals("APPROVE")) {
      return invalid("body is required");
    }
    if (text.length() > LONGEST_BODY) {
      return invalid("body is too long (maximum is 65536 characters)");
    }
    if (event.equals("APPROVE") && pull.author == user.id()) {
      return invalid("Can not approve your own pull request");
    }
    var files =
        ForgeDiff.of(
            git(repository), git(repository).say("merge-base", pull.target, commit), commit);
    var made = new ArrayList<ReviewThread>();
    for (var comment : body.path("comments")) {
      var why = wrong(files, comment);
      if (why.isPresent()) {
        return invalid(why.get());
      }
      int line = comment.path("line").asInt();
      made.add(
          new ReviewThread(
              Base64.getEncoder()
                  .encodeToString(("thread" + id()).getBytes(StandardCharsets.UTF_8)),
              user.id(),
              comment.path("path").asText(),
              comment.path("side").asText("RIGHT"),
              comment.path("start_line").asInt(line),
              line,
              comment.path("body").asText()));
    }
    var key = repository + "#" + pull.number;
    var review =
        new Review(
            id(),
            user.id(),
            commit,
            event.equals("APPROVE") ? "APPROVED" : event.equals("COMMENT") ? "COMMENTED" : event,
            text);
    reviews.computeIfAbsent(key, name -> new ArrayList<>()).add(review);
    threads.computeIfAbsent(key, name -> new ArrayList<>()).addAll(made);
    return Said.of(200, node().put("id", review.id).put("state", review.state));
  }

  /** What is wrong with a comment. */
  private static Optional<String> wrong(List<ForgeDiff.File> files, JsonNode comment) {
    var path = comment.path("path").asText("");
    var text = comment.path("body").asText("");
    if (text.isBlank() || text.length() > LONGEST_BODY) {
      return Optional.of("body is required and has at most 65536 characters");
    }
    var file = files.stream().filter(it -> it.newPath().equals(path)).findFirst();
    if (file.isEmpty()) {
      return Optional.of("Path could not be resolved");
    }
    if (!comment.path("line").isInt()) {
      return Optional.of("Line could not be resolved");
    }
    var end = line(file.get(), comment.path("side").asText("RIGHT"), comment.path("line").asInt());
    if (end.isEmpty()) {
      return Optional.of("Line could not be resolved");
    }
    if (comment.has("start_line")) {
      int first = comment.path("start_line").asInt();
      if (first >= comment.path("line").asInt()) {
        return Optional.of("start_line must precede the end line.");
      }
      var start = line(file.get(), comment.path("start_side").asText("RIGHT"), first);
      if (start.isEmpty()) {
        return Optional.of("Start line could not be resolved");
      }
      if (start.get().hunk() != end.get().hunk()) {
        return Optional.of("start_line must be part of the same hunk as the line.");
      }
    }
    return Optional.empty();
  }

  private static Optional<ForgeDiff.Line> line(ForgeDiff.File file, String side, int number) {
    return side.equals("LEFT") ? file.left(number) : file.right(number);
  }

  private Said graph(User user, JsonNode body) {
    var query = body.path("query").asText();
    var variables = body.path("variables");
    if (!isBalanced(query)) {
      return graphError("PARSE_ERROR", "Parse error on query");
    }
    if (query.contains("resolveReviewThread(")) {
      if (!user.writes() || readOnly) {
        return graphError("FORBIDDEN", "Resource not accessible by integration");
      }
      var id = variables.path("thread").asText();
      for (var all : threads.values()) {
        for (var thread : all) {
          if (thread.id.equals(id)) {
            thread.resolved = true;
            var data = node();
            data.putObject("data")
                .putObject("resolveReviewThread")
                .putObject("thread")
                .put("id", id)
                .put("isResolved", true);
            return Said.of(200, data);
          }
        }
      }
      return graphError("NOT_FOUND", "Could not resolve to a node with the global id");
    }
    var repository = variables.path("owner").asText() + "/" + variables.path("name").asText();
    int number = variables.path("number").asInt();
    if (!pulls.containsKey(repository) || !pulls(repository).containsKey(number)) {
      return graphError("NOT_FOUND", "Could not resolve to a PullRequest");
    }
    int from =
        variables.path("after").isTextual()
            ? Integer.parseInt(variables.path("after").asText())
            : 0;
    var field = query.contains("reviewThreads(") ? "reviewThreads" : "reviews";
    var all = new ArrayList<ObjectNode>();
    if (field.equals("reviews")) {
      reviews(repository, number)
          .forEach(
              it ->
                  all.add(
                      node()
                          .put("databaseId", it.id)
                          .put("body", it.body)
                          .put("state", it.state)
                          .put("viewerDidAuthor", it.author == user.id())));
    } else {
      for (var thread : threads(repository, number)) {
        var one = node().put("id", thread.id).put("isResolved", thread.resolved);
        one.putObject("comments")
            .putArray("nodes")
            .addObject()
            .put("body", thread.body)
            .put("viewerDidAuthor", thread.author == user.id());
        all.add(one);
      }
    }
    var answer = node();
    var page =
        answer.putObject("data").putObject("repository").putObject("pullRequest").putObject(field);
    int size = 100;
    page.putObject("pageInfo")
        .put("hasNextPage", from + size < all.size())
        .put("endCursor", Integer.toString(from + size));
    var nodes = page.putArray("nodes");
    all.stream().skip(from).limit(size).forEach(nodes::add);
    return Said.of(200, answer);
  }

  private static boolean isBalanced(String query) {
    return query.chars().filter(it -> it == '{').count()
        == query.chars().filter(it -> it == '}').count();
  }

  /** GraphQL says it with a status of success. */
  private static Said graphError(String type, String message) {
    var answer = node();
    answer.putNull("data");
    answer.putArray("errors").addObject().put("type", type).put("message", message);
    return Said.of(200, answer);
  }
}
