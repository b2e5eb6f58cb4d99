package dev.flyball.gateway.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watch over connections to the server while no request of theirs is open.
 *
 * <h2>How it works</h2>
 *
 * Whoever connects and says nothing, or says the head of a request letter by letter, holds a
 * descriptor and some memory for as long as they like. Vert.x knows of a connection only when its
 * first bytes are there, and its idle times would also end a request that waits its turn in
 * silence. So this stands before Vert.x, at the socket: each connection that is accepted gets a
 * {@link Line}, which notes when bytes come. {@link HttpRoutes} tells it when a request begins and
 * ends. A line without a request is closed when it has said nothing for too long, or when the head
 * that it has begun is not whole in time; bytes that drip in gain it nothing. A line with a request
 * is the business of whoever answers that.
 */
public final class ConnectionWatch implements Transport {
  /** For a head, from its first byte or from the moment of connecting. */
  private static final Duration HEAD = Duration.ofSeconds(20);

  /** Longer than clients keep a connection that they may use again, so that they close it. */
  private static final Duration IDLE = Duration.ofSeconds(90);

  private final LongSupplier nanos;
  private final int most;
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private final io.vertx.core.spi.transport.Transport usual = Transport.NIO.implementation();

  /**
   * A watch.
   *
   * @param nanos the time
   * @param most connections at a time; what comes beyond is closed at once
   */
  public ConnectionWatch(LongSupplier nanos, int most) {
    this.nanos = nanos;
    this.most = most;
  }

  /** One connection. All but {@link #late} happens on its event loop. */
  private final class Line extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private volatile long since = nanos.getAsLong();
    private volatile int open;
    private volatile boolean used;
    private volatile boolean speaking;

    Line(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      if (open == 0 && !speaking) {
        speaking = true;
        since = nanos.getAsLong();
      }
      context.fireChannelRead(bytes);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lines.remove(this);
      context.fireChannelInactive();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One event loop writes; others only look.
    void begins() {
      open++;
      used = true;
      speaking = false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One event loop writes; others only look.
    void ends() {
      open--;
      since = nanos.getAsLong();
    }

    boolean late(long now) {
      var most = speaking || !used ? HEAD : IDLE;
      return open == 0
          && now - since > most.toNanos()
          && channel.pipeline().get(WebSocketFrameDecoder.class) == null;
    }
  }

  /** A request is here. */
  void begins(HttpServerRequest request) {
    if (request.connection() instanceof HttpServerConnection connection) {
      var line = connection.channelHandlerContext().pipeline().get(Line.class);
      if (line != null) {
        line.begins();
        request.response().endHandler(end -> line.ends());
      }
    }
  }

  /** Closes those that took too long; to be called now and then. */
  public void sweep() {
    long now = nanos.getAsLong();
    lines.removeIf(line -> !line.channel.isOpen());
    for (var line : lines) {
      if (line.late(now)) {
        var unused = line.channel.close();
      }
    }
  }

  /** How many connections are open. */
  public int connections() {
    return lines.size();
  }

  /** Gives each connection that a server accepts its line, before anything else sees it. */
  @Sharable
  private final class Doorkeeper extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      if (accepted instanceof Channel channel) {
        if (lines.size() >= most) {
          channel.unsafe().closeForcibly();
          return;
        }
        var line = new Line(channel);
        lines.add(line);
        channel.pipeline().addFirst(line);
      }
      context.fireChannelRead(accepted);
    }
  }

  // ---- as Vert.x asks for it ----

  @Override
  public String name() {
    return "watched";
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return new Watched();
  }

  /** The usual transport, whose servers have a doorkeeper. */
  private final class Watched implements io.vertx.core.spi.transport.Transport {
    @Override
    public boolean supportsDomainSockets() {
      return usual.supportsDomainSockets();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
      return usual.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
      return usual.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
      return usual.ioHandlerFactory();
    }

    @Override
    public DatagramChannel datagramChannel() {
      return usual.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation") // Vert.x asks with it.
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
      return usual.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
      return usual.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
      return usual.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      usual.configure(options, domainSocket, bootstrap);
      bootstrap.handler(new Doorkeeper());
    }
  }
}
