package dev.flyball.fleet.redis;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.SetParams;

/**
 * The way to one Redis. Connections are made anew when they break; whoever uses one meanwhile gets
 * an {@link IOException}. Methods block, at most for {@link #LONGEST}; thread-safe. No message has
 * the password in it.
 */
public final class RedisAccess implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Pattern VERSION = Pattern.compile("redis_version:(\\d+)\\.(\\d+)");
  private static final int USUAL_PORT = 6379;

  private final String shown;
  private final RedisClient client;
  private volatile boolean closed;

  private RedisAccess(String shown, RedisClient client) {
    this.shown = shown;
    this.client = client;
  }

  /**
   * Connects, and makes sure that the Redis is one that can be used.
   *
   * @param address {@code redis://user:password@host:port/database}, or {@code rediss://} for TLS
   * @throws IOException if not; the message says why and what to do, in one line
   */
  public static RedisAccess open(URI address) throws IOException {
    var access = unchecked(address);
    try {
      access.check();
      return access;
    } catch (IOException refused) {
      access.close();
      throw refused;
    }
  }

  /**
   * Connects later, to a Redis that may not be there yet.
   *
   * @param address as for {@link #open}
   * @return the way to it
   */
  public static RedisAccess unchecked(URI address) {
    int port = address.getPort() < 0 ? USUAL_PORT : address.getPort();
    var shown = address.getScheme() + "://" + address.getHost() + ":" + port;
    var config =
        DefaultJedisClientConfig.builder()
            .resp2()
            .connectionTimeoutMillis((int) LONGEST.toMillis())
            .socketTimeoutMillis((int) LONGEST.toMillis())
            .blockingSocketTimeoutMillis(0)
            .database(database(address));
    if (address.getScheme().equals("rediss")) {
      config.sslOptions(SslOptions.defaults());
    }
    var who = address.getRawUserInfo();
    if (who != null) {
      int colon = who.indexOf(':');
      var user = colon < 0 ? "" : decoded(who.substring(0, colon));
      if (!user.isEmpty()) {
        config.user(user);
      }
      config.password(decoded(colon < 0 ? who : who.substring(colon + 1)));
    }
    var client =
        RedisClient.builder()
            .hostAndPort(new HostAndPort(address.getHost(), port))
            .clientConfig(config.build())
            .build();
    return new RedisAccess(shown, client);
  }

  private static int database(URI address) {
    var path = address.getPath() == null ? "" : address.getPath().replace("/", "");
    return path.isEmpty() ? 0 : Integer.parseInt(path);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private void check() throws IOException {
    try {
      var version = VERSION.matcher(client.info("server"));
      if (version.find()) {
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        if (major < 6 || (major == 6 && minor < 2)) {
          throw new IOException(
              "Redis 6.2 or newer is needed, but the one at %s is %d.%d; update it"
                  .formatted(shown, major, minor));
        }
      }
      var key = "flyball:1:{check}:" + ProcessHandle.current().pid();
      client.set(key, "can be written", SetParams.setParams().ex(1));
    } catch (JedisException failed) {
      throw new IOException(why(failed));
    }
  }

  /** What is wrong, in a line that says what to do. */
  private String why(Throwable failed) {
    var text = new StringBuilder();
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      text.append(' ').append(cause.getMessage());
      for (var hidden : cause.getSuppressed()) {
        text.append(' ').append(hidden.getMessage());
      }
    }
    var said = text.toString().toUpperCase(Locale.ROOT);
    if (said.contains("UNKNOWN COMMAND") && said.contains("HELLO")) {
      return "Redis 6.2 or newer is needed, but the one at " + shown + " is older; update it";
    }
    if (said.contains("NOAUTH") || said.contains("AUTHENTICATION REQUIRED")) {
      return "the Redis at " + shown + " needs a password: write :PASSWORD@ before its host";
    }
    if (said.contains("WRONGPASS") || said.contains("INVALID PASSWORD")) {
      return "the Redis at " + shown + " refuses this user or password; check both in the URL";
    }
    if (said.contains("AUTH") && said.contains("WITHOUT ANY PASSWORD")) {
      return "the Redis at " + shown + " has no password; leave it out of the URL";
    }
    if (said.contains("NOPERM")) {
      return "this user of the Redis at "
          + shown
          + " may not do what a fleet needs: keys flyball:*, channels flyball:*, scripts";
    }
    if (said.contains("READONLY")) {
      return "the Redis at " + shown + " is a read-only replica; name its primary";
    }
    if (said.contains("OOM COMMAND")) {
      return "the Redis at " + shown + " is full (maxmemory); give it more memory, or a policy";
    }
    if (said.contains("DB INDEX IS OUT OF RANGE")) {
      return "the Redis at " + shown + " has no such database; change the number after the slash";
    }
    if (said.contains("LOADING")) {
      return "the Redis at " + shown + " is still loading its data; try again in a moment";
    }
    if (said.contains("SSL") || said.contains("CERT") || said.contains("PKIX")) {
      return "no TLS with the Redis at "
          + shown
          + "; check its certificate, or use redis:// if it has none";
    }
    return "the Redis at " + shown + " cannot be reached; check address and network";
  }

  /**
   * Runs a script.
   *
   * @throws IOException if that failed; nobody knows whether it ran
   */
  public Object run(RedisScript script, List<String> keys, List<String> arguments)
      throws IOException {
    try {
      try {
        return client.evalsha(script.digest(), keys, arguments);
      } catch (JedisNoScriptException forgotten) {
        return client.eval(script.text(), keys, arguments);
      }
    } catch (JedisException failed) {
      throw new IOException(why(failed));
    }
  }

  /** Says something on a channel. */
  public void publish(String channel, String text) throws IOException {
    try {
      client.publish(channel, text);
    } catch (JedisException failed) {
      throw new IOException(why(failed));
    }
  }

  /**
   * Hears channels on a thread of its own, until this is closed. While nobody can be reached, what
   * is said is not heard.
   *
   * @param listener is given channel and text; must not block
   */
  public void hear(List<String> channels, BiConsumer<String, String> listener) {
    var thread =
        Thread.ofPlatform()
            .daemon()
            .name("flyball-redis-in")
            .unstarted(() -> hearAlways(channels, listener));
    thread.start();
  }

  private void hearAlways(List<String> channels, BiConsumer<String, String> listener) {
    while (!closed) {
      try {
        client.subscribe(new Ear(listener), channels.toArray(String[]::new));
      } catch (RuntimeException broken) {
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Ear extends JedisPubSub {
    private final BiConsumer<String, String> listener;

    Ear(BiConsumer<String, String> listener) {
      this.listener = listener;
    }

    @Override
    public void onMessage(@Nullable String channel, @Nullable String message) {
      if (channel != null && message != null) {
        listener.accept(channel, message);
      }
    }
  }

  /** {@return where it is, without user and password} */
  @Override
  public String toString() {
    return shown;
  }

  @Override
  public void close() {
    closed = true;
    client.close();
  }
}
