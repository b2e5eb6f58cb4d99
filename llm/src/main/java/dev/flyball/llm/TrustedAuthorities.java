package dev.flyball.llm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The authorities that may vouch for a server: those that Java knows and, where somebody has some
 * of their own, those in a file.
 */
public final class TrustedAuthorities {
  /** Those that Java knows. */
  public static final TrustedAuthorities USUAL = new TrustedAuthorities(List.of());

  private final List<Certificate> more;

  private TrustedAuthorities(Collection<? extends Certificate> more) {
    this.more = List.copyOf(more);
  }

  /**
   * Those of a file beside the usual ones.
   *
   * @param pem one or more certificates, as {@code -----BEGIN CERTIFICATE-----} begins them
   * @throws IOException if it cannot be read or has none; the message says which
   */
  public static TrustedAuthorities andOf(Path pem) throws IOException {
    try (InputStream in = Files.newInputStream(pem)) {
      var found = CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new IOException(pem + " has no certificate in PEM form");
      }
      return new TrustedAuthorities(found);
    } catch (NoSuchFileException missing) {
      throw new IOException("there is no file " + pem, missing);
    } catch (CertificateException other) {
      throw new IOException(pem + " is not a certificate in PEM form", other);
    }
  }

  /** Whether there are none but Java's. */
  public boolean isUsual() {
    return more.isEmpty();
  }

  /** What connections are secured with. */
  SSLContext context() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, managers().getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException("this Java cannot secure a connection", broken);
    }
  }

  /** Those who check the certificates of servers. */
  public TrustManagerFactory managers() {
    try {
      var usual = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      usual.init((KeyStore) null);
      var all = new ArrayList<>(more);
      for (var each : usual.getTrustManagers()) {
        if (each instanceof X509TrustManager known) {
          all.addAll(Arrays.asList(known.getAcceptedIssuers()));
        }
      }
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < all.size(); i++) {
        store.setCertificateEntry("authority-" + i, all.get(i));
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust;
    } catch (GeneralSecurityException | IOException broken) {
      throw new IllegalStateException("this Java cannot secure a connection", broken);
    }
  }
}
