package dev.flyball.llm;

import dev.flyball.llm.reply.SafeMessage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The reason for which there was no reply.
 *
 * @param message what went wrong
 * @param remedy what to do, if nothing else helps: the same would happen to the next attempt
 */
record ConnectionFailure(String message, Optional<String> remedy) {
  private static final Pattern PASSING_ALERT =
      Pattern.compile("(?:internal_error|bad_record_mac|decrypt_error|decode_error|close_notify)");

  /**
   * What an exception means.
   *
   * @param connected whether the connection stood by then
   * @param spoke whether what answers there has spoken HTTP before, so that it can
   */
  static ConnectionFailure of(Exception failure, boolean connected, boolean spoke) {
    var said = String.valueOf(failure.getMessage());
    var message = SafeMessage.of(said, failure.getClass().getSimpleName());
    return switch (failure) {
      case HostLookup.Unsettled unknown -> passing("there is no host " + message);
      case UnknownHostException unknown ->
          spoke
              ? passing("there is no host " + message)
              : lasting("there is no host " + message, "check the address and the network");
      case ConnectionRequestTimeoutException busy -> passing("no connection was free in time");
      case ConnectTimeoutException slow -> passing("connecting took too long");
      case ConnectException refused -> passing("the connection was refused");
      case SSLException tls -> secure(tls, message, connected);
      default ->
          !spoke && because(failure, HttpException.class)
              ? lasting(
                  "the server there does not speak HTTP: " + message,
                  "check the address and its port")
              : passing("the connection broke: " + message);
    };
  }

  private static ConnectionFailure secure(SSLException failure, String message, boolean connected) {
    if (failure instanceof SSLPeerUnverifiedException
        || because(failure, CertificateException.class)) {
      return lasting(
          "the server's certificate is not trusted: " + message,
          "check the address; if the server or a proxy uses its own certificate authority, pass"
              + " that with --ca FILE, or add it to Java's trust store");
    }
    var whole = "the secure connection failed: " + message;
    // One that was cut off has the cut as its cause; one that could not agree has none.
    boolean cut = failure.getCause() instanceof IOException io && !(io instanceof SSLException);
    return connected || cut || PASSING_ALERT.matcher(message).find()
        ? passing(whole)
        : lasting(whole, "check the address: whether it is https, its port, and what it asks for");
  }

  private static boolean because(Throwable failure, Class<? extends Exception> kind) {
    @Nullable Throwable each = failure;
    for (int depth = 0; each != null && depth < 10; depth++) {
      if (kind.isInstance(each)) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  private static ConnectionFailure passing(String message) {
    return new ConnectionFailure(message, Optional.empty());
  }

  private static ConnectionFailure lasting(String message, String remedy) {
    return new ConnectionFailure(message, Optional.of(remedy));
  }
}
