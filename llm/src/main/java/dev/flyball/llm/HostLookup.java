package dev.flyball.llm;

import dev.flyball.call.DurationText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.hc.client5.http.DnsResolver;

/**
 * A lookup of hosts whose wait an interrupt and a timeout end. The system's own lookup hears
 * neither, so it runs on a thread of its own, one for each host at a time.
 */
final class HostLookup implements DnsResolver {
  /** The system's own lookup, or a stand-in for it. */
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  /** The name server did not say whether there is such a host: that may be different soon. */
  static final class Unsettled extends UnknownHostException {
    private static final long serialVersionUID = 1;

    Unsettled(String message) {
      super(message);
    }
  }

  private static final Pattern PASSING = Pattern.compile("(?i)temporar(?:y|ily)|try again");

  private final ConcurrentHashMap<String, CompletableFuture<InetAddress[]>> running =
      new ConcurrentHashMap<>();
  private final Lookup lookup;
  private final Duration timeout;

  HostLookup(Lookup lookup, Duration timeout) {
    this.lookup = lookup;
    this.timeout = timeout;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    try {
      return running
          .computeIfAbsent(host, this::begin)
          .get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException unknown) {
      boolean passing = PASSING.matcher(String.valueOf(unknown.getMessage())).find();
      throw passing
          ? new Unsettled(host + " that the name server can find now")
          : new UnknownHostException(host);
    } catch (TimeoutException slow) {
      throw new Unsettled(host + " that could be found within " + DurationText.of(timeout));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  private CompletableFuture<InetAddress[]> begin(String host) {
    var found = new CompletableFuture<InetAddress[]>();
    Thread.ofPlatform().daemon().name("flyball-names").start(() -> find(host, found));
    return found;
  }

  private void find(String host, CompletableFuture<InetAddress[]> found) {
    try {
      found.complete(lookup.of(host));
    } catch (UnknownHostException | RuntimeException unknown) {
      found.completeExceptionally(unknown);
    } finally {
      running.remove(host, found);
    }
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
