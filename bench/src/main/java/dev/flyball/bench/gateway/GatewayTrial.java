package dev.flyball.bench.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The gateway beside nginx as plain proxy, and beside Portkey's where it is installed: the same
 * load through each in turn, round by round, with nothing else changed. The ratio of two slices of
 * one round is what counts, and the processor time a request, which a busy machine changes least.
 *
 * <p>Long because it has the loads, the servers and the page of one program.
 */
public final class GatewayTrial {
  private static final int CONNECTIONS = 64;
  private static final int WARM_SECONDS = 15;
  private static final int WARMING = 5;
  private static final int MOST_WARMINGS = 16;
  private static final double NO_LESS = 0.95;
  private static final int SETTLED = 2;
  private static final int SMALL = 1 << 10;
  private static final int LARGE = 300 << 10;
  private static final Pattern HEAP = Pattern.compile("used (\\d+)K");

  /** Some words, and a table if there are rows. */
  public record Page(String words, List<String> head, List<List<String>> rows) {}

  private record Slice(WrkRun run, double cpu) {}

  /** One kind of load. */
  private record Load(String name, int body, String kind, int connections) {}

  private final Path folder;
  private final int rounds;
  private final int seconds;
  private final List<Page> pages = new ArrayList<>();

  private GatewayTrial(Path folder, int rounds, int seconds) {
    this.folder = folder;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  public static List<Page> run(String... args) throws IOException, InterruptedException {
    int rounds = Integer.parseInt(option("--rounds", "5", args));
    int seconds = Integer.parseInt(option("--seconds", "3", args));
    var portkey = option("--portkey", "", args);
    var trial = new GatewayTrial(Files.createTempDirectory("flyball-bench"), rounds, seconds);
    return trial.all(portkey, option("--only", "", args));
  }

  private static String option(String name, String usual, String... args) {
    for (int i = 0; i + 1 < args.length; i++) {
      if (args[i].equals(name)) {
        return args[i + 1];
      }
    }
    return usual;
  }

  private List<Page> all(String portkey, String only) throws IOException, InterruptedException {
    try (var mock = new MockProvider();
        var nginx = nginx(mock.port());
        var flyball = flyball(folder, mock.port(), "1g")) {
      var targets = new ArrayList<>(List.of(nginx, flyball));
      try {
        if (!portkey.isEmpty()) {
          targets.add(portkey(portkey));
        }
        measure(mock, targets, only);
      } finally {
        targets.stream().skip(2).forEach(ProxyUnderTest::close);
      }
    }
    if ("waiting".contains(only)) {
      waiting();
    }
    return pages;
  }

  private void measure(MockProvider mock, List<ProxyUnderTest> targets, String only)
      throws IOException, InterruptedException {
    var loads =
        List.of(
            new Load("1 KB, 64 connections", SMALL, "plain", CONNECTIONS),
            new Load("1 KB, one connection", SMALL, "plain", 1),
            new Load("300 KB, 64 connections", LARGE, "plain", CONNECTIONS),
            new Load(
                "a stream of " + MockProvider.PIECES + " pieces, 64 connections",
                SMALL,
                "stream",
                CONNECTIONS));
    pages.add(
        new Page(
            ("Each figure is the median of %d rounds of %d s, after the same load to warm up, for"
                 + " Flyball %d s of a processor and until a request costs no less than before; %d"
                 + " processors, shared with wrk, the mock and whatever else ran (load %s at the"
                 + " start). `÷ nginx` is paired within a round. Processor time is user and system"
                 + " of the server and its children, from the kernel. One event loop, or worker,"
                 + " for each processor.")
                .formatted(
                    rounds,
                    seconds,
                    WARM_SECONDS,
                    Runtime.getRuntime().availableProcessors(),
                    Files.readString(Path.of("/proc/loadavg")).replaceFirst(" .*\\n?", "")),
            List.of(),
            List.of()));
    for (var load : loads) {
      if (!load.name().contains(only)) {
        continue;
      }
      pages.add(page(load, mock, targets));
    }
  }

  private Page page(Load load, MockProvider mock, List<ProxyUnderTest> targets)
      throws IOException, InterruptedException {
    System.err.println("bench gateway: " + load.name());
    var slices = new HashMap<String, List<Slice>>();
    var direct = new ArrayList<WrkRun>();
    for (var target : targets) {
      warm(load, target);
    }
    for (int round = 0; round < rounds; round++) {
      direct.add(WrkRun.of(load.connections(), 1, script(load, targets.getFirst()), mock.port()));
      for (var target : targets) {
        double before = target.seconds();
        var run = WrkRun.of(load.connections(), seconds, script(load, target), target.port());
        double cpu = (target.seconds() - before) * 1e6 / Math.max(1, run.requests());
        slices.computeIfAbsent(target.name(), name -> new ArrayList<>()).add(new Slice(run, cpu));
      }
    }
    var rows = new ArrayList<List<String>>();
    double bare = median(direct.stream().map(WrkRun::p50).toList());
    rows.add(
        List.of(
            "the mock itself",
            "%,.0f".formatted(median(direct.stream().map(WrkRun::perSecond).toList())),
            "",
            "%.2f".formatted(bare),
            "%.2f".formatted(median(direct.stream().map(WrkRun::p99).toList())),
            "",
            "",
            "",
            "0"));
    var nginx = Objects.requireNonNull(slices.get("nginx"));
    for (var target : targets) {
      rows.add(row(target.name(), Objects.requireNonNull(slices.get(target.name())), nginx, bare));
    }
    return new Page(
        "## " + load.name(),
        List.of(
            "through",
            "requests a second",
            "÷ nginx",
            "p50 ms",
            "p99 ms",
            "added p50 ms",
            "CPU µs a request",
            "CPU ÷ nginx",
            "failed"),
        rows);
  }

  /**
   * On a busy machine seconds say little, so a server is warm when it has had that of a processor,
   * and when a request costs it no less than in the slices before: until then the compiler takes
   * most of it.
   */
  private void warm(Load load, ProxyUnderTest target) throws IOException, InterruptedException {
    double began = target.seconds();
    // Those that are not compiled as they go, and those that had another load before, need less.
    boolean cold = target.name().equals("Flyball") && load.connections() == CONNECTIONS;
    double least = Double.MAX_VALUE;
    for (int i = 0, settled = 0; i < (cold ? MOST_WARMINGS : 1) && settled < SETTLED; i++) {
      double before = target.seconds();
      var run = WrkRun.of(load.connections(), WARMING, script(load, target), target.port());
      double cost = (target.seconds() - before) / Math.max(1, run.requests());
      boolean warm = target.seconds() - began > WARM_SECONDS && cost > least * NO_LESS;
      settled = warm ? settled + 1 : 0;
      least = Math.min(least, cost);
    }
  }

  private static List<String> row(String name, List<Slice> own, List<Slice> nginx, double bare) {
    var rates = new ArrayList<Double>();
    var costs = new ArrayList<Double>();
    for (int i = 0; i < own.size(); i++) {
      rates.add(own.get(i).run().perSecond() / Math.max(1, nginx.get(i).run().perSecond()));
      costs.add(own.get(i).cpu() / Math.max(0.01, nginx.get(i).cpu()));
    }
    double p50 = median(own.stream().map(each -> each.run().p50()).toList());
    return List.of(
        name,
        "%,.0f".formatted(median(own.stream().map(each -> each.run().perSecond()).toList())),
        "%.2f".formatted(median(rates)),
        "%.2f".formatted(p50),
        "%.2f".formatted(median(own.stream().map(each -> each.run().p99()).toList())),
        "%.2f".formatted(p50 - bare),
        "%,.0f".formatted(median(own.stream().map(Slice::cpu).toList())),
        "%.2f".formatted(median(costs)),
        Long.toString(own.stream().mapToLong(each -> each.run().failed()).sum()));
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  /** What wrk sends, in its own language. */
  private String script(Load load, ProxyUnderTest target) throws IOException {
    var file = folder.resolve(load.body() + load.kind() + target.name() + ".lua");
    if (!Files.exists(file)) {
      boolean streams = load.kind().equals("stream");
      var lines = new ArrayList<String>();
      lines.add("wrk.method = 'POST'");
      lines.add("wrk.path = '/v1/chat/completions'");
      lines.add("wrk.headers['content-type'] = 'application/json'");
      lines.add("wrk.headers['authorization'] = 'Bearer sk-bench'");
      lines.add("wrk.headers['x-bench'] = '" + load.kind() + "'");
      if (target.name().equals("Portkey")) {
        lines.add("wrk.headers['x-portkey-provider'] = 'openai'");
        lines.add("wrk.headers['x-portkey-forward-headers'] = 'x-bench'");
        lines.add("wrk.headers['x-portkey-custom-host'] = '" + mockRoot + "/v1'");
      }
      lines.add("wrk.body = '" + body(load.body(), streams) + "'");
      Files.write(file, lines);
    }
    return file.toString();
  }

  private String mockRoot = "";

  private static String body(int size, boolean streams) {
    var start =
        "{\"model\":\"gpt-5.4\",\"max_tokens\":100,"
            + (streams ? "\"stream\":true," : "")
            + "\"messages\":[{\"role\":\"user\",\"content\":\"";
    var words = "some plain words of a prompt ";
    var text =
        words
            .repeat(size / words.length() + 1)
            .substring(0, Math.max(0, size - start.length() - 5));
    return start + text + "\"}]}";
  }

  // ---- servers ----

  private ProxyUnderTest nginx(int mock) throws IOException, InterruptedException {
    mockRoot = "http://127.0.0.1:" + mock;
    int port = ProxyUnderTest.freePort();
    var config = folder.resolve("nginx.conf");
    Files.writeString(
        config,
        """
        worker_processes auto;
        error_log stderr error;
        pid %1$s/nginx.pid;
        events { worker_connections 4096; }
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
          client_max_body_size 0;
          client_body_buffer_size 1m;
          keepalive_requests 1000000000;
          upstream mock { server 127.0.0.1:%2$d; keepalive 256; keepalive_requests 1000000000; }
          server {
            listen 127.0.0.1:%3$d backlog=4096;
            location / {
              proxy_pass http://mock;
              proxy_http_version 1.1;
              proxy_set_header Connection "";
              proxy_buffering off;
              proxy_request_buffering off;
            }
          }
        }
        """
            .formatted(folder, mock, port));
    return ProxyUnderTest.start(
        "nginx",
        port,
        folder,
        Map.of(),
        List.of("nginx", "-g", "daemon off;", "-c", config.toString()));
  }

  static ProxyUnderTest flyball(Path folder, int mock, String heap)
      throws IOException, InterruptedException {
    int port = ProxyUnderTest.freePort();
    var house = Path.of(System.getProperty("flyball.house", ".")).toAbsolutePath();
    var command =
        new ArrayList<>(
            List.of(
                System.getProperty("flyball.command", house.resolve("flyball").toString())
                    .split(" ")));
    command.addAll(List.of("serve", "--port", Integer.toString(port)));
    var environment =
        Map.of(
            "OPENAI_BASE_URL", "http://127.0.0.1:" + mock,
            "OPENAI_API_KEY", "sk-bench",
            "FLYBALL_JAVA_OPTS", "-Xmx" + heap,
            "FLYBALL_STATE", Files.createDirectories(folder.resolve("state")).toString(),
            "JDK_JAVA_OPTIONS", "-Xmx" + heap);
    return ProxyUnderTest.start("Flyball", port, folder, environment, command);
  }

  private ProxyUnderTest portkey(String installed) throws IOException, InterruptedException {
    int port = ProxyUnderTest.freePort();
    var script = Path.of(installed, "node_modules/@portkey-ai/gateway/build/start-server.js");
    return ProxyUnderTest.start(
        "Portkey",
        port,
        folder,
        Map.of("NODE_ENV", "production", "TRUSTED_CUSTOM_HOSTS", "127.0.0.1,localhost"),
        List.of("node", script.toString(), "--port=" + port, "--headless"));
  }

  // ---- those who wait ----

  private void waiting() throws IOException, InterruptedException {
    var rows = new ArrayList<List<String>>();
    rows.add(waiting(5_000, SMALL, "1g"));
    rows.add(waiting(1_000, LARGE, "3g"));
    pages.add(
        new Page(
            "## Requests that wait\n\n"
                + "Heap after a collection with so many requests waiting, less the heap before they"
                + " came; then all of their clients leave.",
            List.of(
                "requests",
                "body KB",
                "heap KB each",
                "allowed KB each",
                "in flight after all left"),
            rows));
  }

  private List<String> waiting(int count, int body, String heap)
      throws IOException, InterruptedException {
    System.err.println("bench gateway: " + count + " wait with " + body + " bytes each");
    try (var mock = new MockProvider();
        var flyball = flyball(folder, mock.port(), heap)) {
      var words = body(body, false);
      // The first reply says that the account is used up; the second is sent for a place in the
      // queue.
      var first = ask(flyball.port(), words);
      first.getInputStream().read();
      double before = heap(flyball.pid());
      var sockets = new ArrayList<Socket>();
      for (int i = 0; i < count; i++) {
        sockets.add(ask(flyball.port(), words));
      }
      TimeUnit.SECONDS.sleep(5);
      double each = (heap(flyball.pid()) - before) / count;
      for (var socket : sockets) {
        socket.close();
      }
      first.close();
      TimeUnit.SECONDS.sleep(3);
      double after = heap(flyball.pid()) - before;
      return List.of(
          "%,d".formatted(count),
          Integer.toString(body >> 10),
          "%.1f".formatted(each),
          "%.1f".formatted(14 + 1.1 * body / 1024),
          "%.1f KB heap".formatted(after / count));
    }
  }

  private static Socket ask(int port, String body) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    var head =
        "POST /v1/chat/completions HTTP/1.1\r\n"
            + "host: localhost\r\n"
            + "content-type: application/json\r\n"
            + "x-bench: used-up\r\n"
            + "x-flyball-max-wait: 100d\r\n"
            + "content-length: "
            + body.length()
            + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** What is in use after a collection, in KB. */
  static double heap(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    jcmd(pid, "GC.run");
    return jcmd(pid, "GC.heap_info")
        .lines()
        .filter(line -> !line.contains("Metaspace") && !line.contains("class space"))
        .flatMap(line -> HEAP.matcher(line).results())
        .mapToDouble(used -> Double.parseDouble(used.group(1)))
        .sum();
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    var tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var process =
        new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
