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
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks up hosts so that an interrupt and a clock end the wait. The system's own lookup hears
 * neither, so it runs on a thread of its own, one for each host at a time.
 */
final class HostLookup implements DnsResolver {
  /** How addresses are found. */
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  private final ConcurrentHashMap<String, CompletableFuture<InetAddress[]>> running =
      new ConcurrentHashMap<>();
  private final Lookup lookup;
  private final Duration most;

  HostLookup(Lookup lookup, Duration most) {
    this.lookup = lookup;
    this.most = most;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    try {
      return running.computeIfAbsent(host, this::begin).get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException unknown) {
      throw new UnknownHostException(host);
    } catch (TimeoutException slow) {
      throw new UnknownHostException(host + " that could be found within " + DurationText.of(most));
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
