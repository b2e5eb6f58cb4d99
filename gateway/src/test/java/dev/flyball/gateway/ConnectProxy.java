package dev.flyball.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy as companies have them, which connects whoever sends {@code CONNECT} with a server of
 * this machine, whatever host they name, and keeps what it was asked.
 */
final class ConnectProxy implements AutoCloseable {
  private final ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final int port;

  ConnectProxy(int port) throws IOException {
    this.port = port;
    Thread.startVirtualThread(this::serve);
  }

  String address() {
    return "127.0.0.1:" + door.getLocalPort();
  }

  /** The heads of what was asked. */
  List<String> asked() {
    return asked;
  }

  private void serve() {
    while (!door.isClosed()) {
      try {
        var client = door.accept();
        Thread.startVirtualThread(() -> connect(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    try (client;
        var server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      var head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) client.getInputStream().read());
      }
      asked.add(head.toString());
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      Thread.startVirtualThread(() -> pass(server, client));
      pass(client, server);
    } catch (IOException gone) {
      // One of the two hung up, as both do at the end.
      return;
    }
  }

  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException gone) {
      // One of the two hung up, as both do at the end.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
