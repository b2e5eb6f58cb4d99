package dev.flyball.forge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What both hosts have in common: an HTTP server on this machine, tokens, repositories of Git, pull
 * requests, limits, and misfortune on request.
 */
public abstract class Forge implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Who has a token, and what it may do. */
  public record User(long id, String login, boolean writes) {}

  /** A request as it came. */
  public record Seen(String method, String path, int status) {}

  /** What is answered. */
  static final class Said {
    private final int status;
    private final byte[] body;
    private final Map<String, String> headers = new LinkedHashMap<>();

    Said(int status, byte[] body) {
      this.status = status;
      this.body = body;
    }

    int status() {
      return status;
    }

    byte[] body() {
      return body;
    }

    Map<String, String> headers() {
      return headers;
    }

    static Said of(int status, JsonNode node) {
      return new Said(status, node.toString().getBytes(StandardCharsets.UTF_8));
    }

    static Said text(String text) {
      return new Said(200, text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** A pull request. */
  static final class Pull {
    final int number;
    String title = "Add a feature";
    String text = "";
    String target;
    String head;
    final List<String> heads = new ArrayList<>();
    boolean draft;
    String state = "open";
    long author = 1;
    boolean fork;

    Pull(int number, String target, String head) {
      this.number = number;
      this.target = target;
      this.head = head;
      heads.add(head);
    }
  }

  final HttpServer server;
  final ReentrantLock lock = new ReentrantLock();
  final Map<String, User> users = new HashMap<>();
  final Map<String, Git> repositories = new HashMap<>();
  final Map<String, Map<Integer, Pull>> pulls = new HashMap<>();
  private final List<Seen> seen = new ArrayList<>();
  private long nextId = 1_000;

  // Limits.
  private int allowance = Integer.MAX_VALUE;
  private int used;
  private long windowEnds;
  private volatile boolean pointsSpent;
  private int writesBeforeSecondary = Integer.MAX_VALUE;
  private int writes;
  private boolean secondaryTold;

  // Misfortune.
  private @Nullable Predicate<Seen> lost;
  private @Nullable Predicate<Seen> broken;
  private int left = Integer.MAX_VALUE;
  boolean readOnly;

  Forge() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::serve);
    server.start();
  }

  /** Where people would read it. */
  public String site() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public void user(String token, long id, String login, boolean mayWrite) {
    users.put(token, new User(id, login, mayWrite));
  }

  /** A repository that has these commits. */
  public void repository(String name, Path folder) {
    var git = new Git(folder);
    git.say("config", "uploadpack.allowAnySHA1InWant", "true");
    git.say("config", "http.receivepack", "false");
    repositories.put(name, git);
    pulls.put(name, new TreeMap<>());
  }

  /** Opens a pull request; returns its number. */
  public int open(String repository, String target, String head) {
    lock.lock();
    try {
      var all = pulls(repository);
      int number = all.size() + 1;
      all.put(number, new Pull(number, target, head));
      return number;
    } finally {
      lock.unlock();
    }
  }

  Map<Integer, Pull> pulls(String repository) {
    var all = pulls.get(repository);
    if (all == null) {
      throw new IllegalArgumentException("no repository " + repository);
    }
    return all;
  }

  Pull pull(String repository, int number) {
    var pull = pulls(repository).get(number);
    if (pull == null) {
      throw new IllegalArgumentException("no pull request " + number);
    }
    return pull;
  }

  /** Pushes: the branch has another head. */
  public void push(String repository, int number, String head) {
    var pull = pull(repository, number);
    pull.head = head;
    pull.heads.add(head);
  }

  public void describe(String repository, int number, String title, String text) {
    pull(repository, number).title = title;
    pull(repository, number).text = text;
  }

  public void draft(String repository, int number) {
    pull(repository, number).draft = true;
  }

  public void state(String repository, int number, String state) {
    pull(repository, number).state = state;
  }

  public void fromFork(String repository, int number) {
    pull(repository, number).fork = true;
  }

  public void author(String repository, int number, long user) {
    pull(repository, number).author = user;
  }

  /** Lets so many requests through; the others wait for a window of so many seconds. */
  public void allow(int requests, int seconds) {
    allowance = requests;
    used = 0;
    windowEnds = Instant.now().getEpochSecond() + seconds;
  }

  /** The next question in GraphQL is told that its points are spent, for a second. */
  public void spendPoints() {
    pointsSpent = true;
  }

  /** After so many writes one is too fast, and is told to wait for a second. */
  public void secondaryAfter(int posts) {
    writesBeforeSecondary = posts;
    writes = 0;
    secondaryTold = false;
  }

  /** The next such request is carried out, and its reply is lost. */
  public void loseReplyTo(Predicate<Seen> which) {
    lost = which;
  }

  /** The next such request is not carried out, and its connection breaks. */
  public void breakOff(Predicate<Seen> which) {
    broken = which;
  }

  /** After so many writes nobody answers any more, until this is said again. */
  public void downAfter(int writesLeft) {
    lock.lock();
    try {
      left = writesLeft;
    } finally {
      lock.unlock();
    }
  }

  /** All tokens may read and no more, as in a job of a fork. */
  public void readOnly() {
    readOnly = true;
  }

  /** Tokens may do what they could before. */
  public void writeAgain() {
    readOnly = false;
  }

  /** All requests that came. */
  public List<Seen> seen() {
    lock.lock();
    try {
      return List.copyOf(seen);
    } finally {
      lock.unlock();
    }
  }

  public long count(Predicate<Seen> which) {
    return seen().stream().filter(which).count();
  }

  long id() {
    return nextId++;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getRawPath();
      if (path.contains(".git/")) {
        SmartHttp.serve(this, exchange);
        return;
      }
      var body = exchange.getRequestBody().readAllBytes();
      Said said;
      boolean drop;
      lock.lock();
      try {
        var asked = new Seen(exchange.getRequestMethod(), path, 0);
        boolean writing = !asked.method().equals("GET") && !isRead(exchange);
        if (left <= 0 || (broken != null && broken.test(asked))) {
          broken = null;
          return;
        }
        if (writing && left != Integer.MAX_VALUE) {
          left--;
        }
        said = limited(exchange);
        if (said == null) {
          said = answered(exchange, body);
        }
        seen.add(new Seen(asked.method(), path, said.status()));
        drop = lost != null && lost.test(asked);
        if (drop) {
          lost = null;
        }
        head(exchange);
      } finally {
        lock.unlock();
      }
      if (drop) {
        return;
      }
      said.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          said.status(), said.body().length == 0 ? -1 : said.body().length);
      if (said.body().length > 0) {
        exchange.getResponseBody().write(said.body());
      }
    }
  }

  private Said answered(HttpExchange exchange, byte[] body) {
    try {
      JsonNode node = body.length == 0 ? NODES.objectNode() : JSON.readTree(body);
      return answer(exchange, node);
    } catch (IOException garbled) {
      return Said.of(400, NODES.objectNode().put("message", "Problems parsing JSON"));
    } catch (IllegalArgumentException missing) {
      return Said.of(404, NODES.objectNode().put("message", "Not Found"));
    }
  }

  /** The limit that a request is beyond, if any. */
  private @Nullable Said limited(HttpExchange exchange) {
    long now = Instant.now().getEpochSecond();
    if (allowance != Integer.MAX_VALUE && now >= windowEnds) {
      used = 0;
      windowEnds = now + 3600;
      allowance = 5_000;
    }
    if (pointsSpent && isRead(exchange)) {
      pointsSpent = false;
      allow(0, 1);
    }
    if (++used > allowance) {
      return beyond(exchange);
    }
    boolean write = !exchange.getRequestMethod().equals("GET") && !isRead(exchange);
    if (write && ++writes > writesBeforeSecondary && !secondaryTold) {
      secondaryTold = true;
      var said =
          Said.of(
              403,
              NODES
                  .objectNode()
                  .put("message", "You have exceeded a secondary rate limit. Please wait."));
      said.headers().put("Retry-After", "1");
      return said;
    }
    return null;
  }

  boolean isRead(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().endsWith("/graphql");
  }

  private void head(HttpExchange exchange) {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/json; charset=utf-8");
    long left = allowance == Integer.MAX_VALUE ? 4_900 : Math.max(0, allowance - used);
    long reset =
        allowance == Integer.MAX_VALUE ? Instant.now().getEpochSecond() + 3600 : windowEnds;
    limits(exchange, left, reset);
  }

  abstract void limits(HttpExchange exchange, long left, long reset);

  /** What is answered beyond the limit. */
  abstract Said beyond(HttpExchange exchange);

  abstract Said answer(HttpExchange exchange, JsonNode body) throws IOException;

  static Map<String, String> query(HttpExchange exchange) {
    var all = new HashMap<String, String>();
    var query = exchange.getRequestURI().getRawQuery();
    if (query != null) {
      for (var part : query.split("&", -1)) {
        int sign = part.indexOf('=');
        var name = decoded(sign < 0 ? part : part.substring(0, sign));
        var value = sign < 0 ? "" : decoded(part.substring(sign + 1));
        all.merge(name, value, (one, other) -> one + "\n" + other);
      }
    }
    return all;
  }

  static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** One page of a list, with the link to the next. */
  Said page(HttpExchange exchange, List<? extends JsonNode> all, int most) {
    var query = query(exchange);
    int size = Math.min(most, Integer.parseInt(query.getOrDefault("per_page", "30")));
    int page = Integer.parseInt(query.getOrDefault("page", "1"));
    ArrayNode array = NODES.arrayNode();
    all.stream().skip((long) (page - 1) * size).limit(size).forEach(array::add);
    var said = Said.of(200, array);
    if ((long) page * size < all.size()) {
      var uri = exchange.getRequestURI();
      var rest = String.valueOf(uri.getRawQuery()).replaceAll("&?page=\\d+", "");
      said.headers()
          .put(
              "Link",
              "<%s%s?%s&page=%d>; rel=\"next\""
                  .formatted(site(), uri.getRawPath(), rest, page + 1));
    }
    return said;
  }

  static Said error(int status, String message) {
    return Said.of(status, NODES.objectNode().put("message", message));
  }

  static ObjectNode node() {
    return NODES.objectNode();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
