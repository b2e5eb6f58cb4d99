package dev.flyball.forge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** GitLab's interface. */
public final class FakeGitLab extends Forge {
  private static final Pattern PROJECT = Pattern.compile("/api/v4/projects/([^/]+)(/.*)");
  private static final Pattern MERGE = Pattern.compile("/merge_requests(?:/(\\d+)(/.*)?)?");

  /** A note, which is the first of its discussion. */
  public static final class Note {
    final long id;
    final String discussion;
    final long author;
    final @Nullable JsonNode position;
    String body;
    boolean resolved;

    Note(long id, String discussion, long author, @Nullable JsonNode position, String body) {
      this.id = id;
      this.discussion = discussion;
      this.author = author;
      this.position = position;
      this.body = body;
    }

    public String body() {
      return body;
    }

    public boolean resolved() {
      return resolved;
    }

    public boolean beside() {
      return position != null;
    }
  }

  private final Map<String, List<Note>> notes = new LinkedHashMap<>();
  private final Map<String, TreeSet<Long>> approvals = new LinkedHashMap<>();
  private int mostFiles = 1_000;

  public FakeGitLab() throws IOException {
    super();
  }

  public List<Note> notes(String repository, int number) {
    return notes.getOrDefault(repository + "!" + number, List.of());
  }

  public boolean approved(String repository, int number) {
    return !approvals.getOrDefault(repository + "!" + number, new TreeSet<>()).isEmpty();
  }

  /** Of a change with more files not all is shown. */
  public void mostFiles(int most) {
    mostFiles = most;
  }

  /** Somebody else writes. */
  public void note(String repository, int number, long author, String body) {
    notes
        .computeIfAbsent(repository + "!" + number, key -> new ArrayList<>())
        .add(new Note(id(), "d" + id(), author, null, body));
  }

  @Override
  Said beyond(HttpExchange exchange) {
    return Said.of(429, NODES.objectNode().put("message", "Retry later"));
  }

  @Override
  void limits(HttpExchange exchange, long left, long reset) {
    var headers = exchange.getResponseHeaders();
    headers.set("RateLimit-Limit", "2000");
    headers.set("RateLimit-Remaining", Long.toString(Math.min(2_000, left)));
    headers.set("RateLimit-Reset", Long.toString(Math.min(reset, reset)));
  }

  @Override
  Said answer(HttpExchange exchange, JsonNode body) throws IOException {
    var token = exchange.getRequestHeaders().getFirst("PRIVATE-TOKEN");
    var user = token == null ? null : users.get(token);
    if (token != null && user == null) {
      return error(401, "401 Unauthorized");
    }
    var path = exchange.getRequestURI().getRawPath();
    if (path.equals("/api/v4/user")) {
      return user == null
          ? error(401, "401 Unauthorized")
          : Said.of(200, node().put("id", user.id()).put("username", user.login()));
    }
    boolean write = !exchange.getRequestMethod().equals("GET");
    if (write && (user == null || !user.writes() || readOnly)) {
      return error(403, "403 Forbidden");
    }
    var project = PROJECT.matcher(path);
    if (!project.matches()) {
      return error(404, "404 Not Found");
    }
    var repository = decoded(project.group(1));
    var rest = project.group(2);
    var git = repositories.get(repository);
    if (git == null) {
      return error(404, "404 Project Not Found");
    }
    if (rest.startsWith("/repository/")) {
      return repository(exchange, git, rest.substring("/repository/".length()));
    }
    var merge = MERGE.matcher(rest);
    if (!merge.matches()) {
      return error(404, "404 Not Found");
    }
    if (merge.group(1) == null) {
      return page(
          exchange,
          pulls(repository).values().stream()
              .filter(it -> it.state.equals("open"))
              .map(it -> node(repository, it))
              .toList(),
          100);
    }
    var pull = pull(repository, Integer.parseInt(merge.group(1)));
    var what = merge.group(2) == null ? "" : merge.group(2);
    return ofMerge(exchange, repository, git, pull, user, what, body);
  }

  private Said repository(HttpExchange exchange, Git git, String rest) {
    var query = query(exchange);
    if (rest.equals("merge_base")) {
      var refs = query.getOrDefault("refs[]", "").split("\n", -1);
      return refs.length == 2
              && git.agrees("cat-file", "-e", refs[0])
              && git.agrees("cat-file", "-e", refs[1])
          ? Said.of(200, node().put("id", git.say("merge-base", refs[0], refs[1])))
          : error(404, "404 Could not find ref");
    }
    if (rest.equals("compare")) {
      var node = node();
      var diffs = node.putArray("diffs");
      for (var file :
          ForgeDiff.of(git, query.getOrDefault("from", ""), query.getOrDefault("to", ""))) {
        diffs.addObject().put("old_path", file.oldPath()).put("new_path", file.newPath());
      }
      return Said.of(200, node);
    }
    var raw = Pattern.compile("files/([^/]+)/raw").matcher(rest);
    if (raw.matches()) {
      var at = query.get("ref") + ":" + decoded(raw.group(1));
      return git.agrees("cat-file", "-e", at)
          ? new Said(200, git.bytes("cat-file", "blob", at))
          : error(404, "404 File Not Found");
    }
    return error(404, "404 Not Found");
  }

  private String base(Git git, Pull pull, String head) {
    return git.say("merge-base", pull.target, head);
  }

  private ObjectNode node(String repository, Pull pull) {
    var git = repositories.get(repository);
    if (git == null) {
      throw new IllegalArgumentException(repository);
    }
    var node = node();
    node.put("iid", pull.number).put("title", pull.title).put("description", pull.text);
    node.put(
        "state",
        pull.state.equals("open") ? "opened" : pull.state.equals("merged") ? "merged" : "closed");
    node.put("draft", pull.draft).put("sha", pull.head);
    node.put("source_project_id", pull.fork ? 2 : 1).put("target_project_id", 1);
    node.put("updated_at", "2026-11-01T00:00:00.000Z");
    node.put("web_url", site() + "/" + repository + "/-/merge_requests/" + pull.number);
    var base = base(git, pull, pull.head);
    int files = ForgeDiff.of(git, base, pull.head).size();
    node.put("changes_count", files > mostFiles ? mostFiles + "+" : Integer.toString(files));
    node.putObject("diff_refs")
        .put("base_sha", base)
        .put("start_sha", pull.target)
        .put("head_sha", pull.head);
    return node;
  }

  private Said ofMerge(
      HttpExchange exchange,
      String repository,
      Git git,
      Pull pull,
      @Nullable User user,
      String what,
      JsonNode body) {
    var method = exchange.getRequestMethod();
    var key = repository + "!" + pull.number;
    var all = notes.computeIfAbsent(key, name -> new ArrayList<>());
    var base = base(git, pull, pull.head);
    if (method.equals("GET")) {
      return switch (what) {
        case "" -> Said.of(200, node(repository, pull));
        case "/raw_diffs" -> Said.text(ForgeDiff.text(git, base, pull.head));
        case "/diffs" ->
            page(
                exchange,
                ForgeDiff.of(git, base, pull.head).stream()
                    .map(it -> node().put("new_path", it.newPath()).put("too_large", false))
                    .toList(),
                100);
        case "/commits" ->
            page(
                exchange,
                Arrays.stream(
                        git.say("log", "--format=%H", pull.target + ".." + pull.head)
                            .split("\n", -1))
                    .filter(it -> !it.isBlank())
                    .map(
                        it ->
                            node()
                                .put("id", it)
                                .put("message", git.say("log", "-1", "--format=%B", it)))
                    .toList(),
                100);
        case "/discussions" ->
            page(exchange, all.stream().map(FakeGitLab::discussion).toList(), 100);
        case "/approvals" -> {
          var node = node();
          var by = node.putArray("approved_by");
          approvals
              .getOrDefault(key, new TreeSet<>())
              .forEach(id -> by.addObject().putObject("user").put("id", id));
          yield Said.of(200, node);
        }
        default -> error(404, "404 Not Found");
      };
    }
    if (user == null) {
      return error(401, "401 Unauthorized");
    }
    var text = body.path("body").asText("");
    if (what.equals("/notes") && method.equals("POST")) {
      return text.isBlank() ? missing("body") : kept(all, user, null, text);
    }
    if (what.equals("/discussions") && method.equals("POST")) {
      var position = body.path("position");
      if (text.isBlank()) {
        return missing("body");
      }
      return isPosition(git, pull, position)
          ? kept(all, user, position, text)
          : missing("line_code");
    }
    if (what.equals("/approve")) {
      if (body.has("sha") && !body.path("sha").asText().equals(pull.head)) {
        return error(409, "SHA does not match HEAD of source branch");
      }
      if (pull.author == user.id()) {
        return error(401, "401 Unauthorized");
      }
      approvals.computeIfAbsent(key, name -> new TreeSet<>()).add(user.id());
      return Said.of(201, node());
    }
    if (what.equals("/unapprove")) {
      approvals.computeIfAbsent(key, name -> new TreeSet<>()).remove(user.id());
      return Said.of(201, node());
    }
    var note = Pattern.compile("/notes/(\\d+)").matcher(what);
    if (note.matches() && method.equals("PUT")) {
      var one = all.stream().filter(it -> it.id == Long.parseLong(note.group(1))).findFirst();
      if (one.isEmpty() || one.get().author != user.id()) {
        return error(404, "404 Not Found");
      }
      one.get().body = text;
      return Said.of(200, node());
    }
    var thread = Pattern.compile("/discussions/([^/]+)").matcher(what);
    if (thread.matches() && method.equals("PUT")) {
      var one = all.stream().filter(it -> it.discussion.equals(thread.group(1))).findFirst();
      if (one.isEmpty() || one.get().position == null) {
        return error(404, "404 Not Found");
      }
      one.get().resolved = body.path("resolved").asBoolean();
      return Said.of(200, node());
    }
    return error(404, "404 Not Found");
  }

  private Said kept(List<Note> all, User user, @Nullable JsonNode position, String text) {
    var note = new Note(id(), "d" + id(), user.id(), position, text);
    all.add(note);
    return Said.of(201, discussion(note));
  }

  private static ObjectNode discussion(Note note) {
    var node = node().put("id", note.discussion).put("individual_note", note.position == null);
    var one = node.putArray("notes").addObject();
    one.put("id", note.id).put("body", note.body).put("resolved", note.resolved);
    one.putObject("author").put("id", note.author);
    return node;
  }

  private static Said missing(String field) {
    var node = node();
    node.putObject("message")
        .putArray(field)
        .add("can't be blank")
        .add("must be a valid line code");
    return Said.of(400, node);
  }

  private boolean isPosition(Git git, Pull pull, JsonNode position) {
    var head = position.path("head_sha").asText();
    if (!position.path("position_type").asText().equals("text")
        || !pull.heads.contains(head)
        || !position.path("base_sha").asText().equals(base(git, pull, head))
        || !position.path("start_sha").asText().equals(pull.target)) {
      return false;
    }
    var file =
        ForgeDiff.of(git, base(git, pull, head), head).stream()
            .filter(
                it ->
                    it.newPath().equals(position.path("new_path").asText())
                        && it.oldPath().equals(position.path("old_path").asText()))
            .findFirst();
    if (file.isEmpty() || line(file.get(), position).isEmpty()) {
      return false;
    }
    var range = position.path("line_range");
    return range.isMissingNode()
        || (isEnd(file.get(), range.path("start")) && isEnd(file.get(), range.path("end")));
  }

  /** An added line by its new number alone, a deleted one by its old, another by both. */
  private static Optional<ForgeDiff.Line> line(ForgeDiff.File file, JsonNode at) {
    boolean old = at.hasNonNull("old_line");
    boolean now = at.hasNonNull("new_line");
    return file.lines().stream()
        .filter(
            it ->
                switch (it.kind()) {
                  case '+' -> now && !old && it.now() == at.path("new_line").asInt();
                  case '-' -> old && !now && it.old() == at.path("old_line").asInt();
                  default ->
                      old
                          && now
                          && it.now() == at.path("new_line").asInt()
                          && it.old() == at.path("old_line").asInt();
                })
        .findFirst();
  }

  private static boolean isEnd(ForgeDiff.File file, JsonNode end) {
    var line = line(file, end);
    if (line.isEmpty()) {
      return false;
    }
    return end.path("line_code")
        .asText()
        .equals("%s_%d_%d".formatted(sha1(file.newPath()), line.get().old(), line.get().now()));
  }

  private static String sha1(String path) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(path.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
