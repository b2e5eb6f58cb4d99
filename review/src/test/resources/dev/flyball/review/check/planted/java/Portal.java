package shop.portal;

import com.sun.net.httpserver.HttpExchange;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.zip.ZipInputStream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import javax.script.ScriptEngineManager;
import javax.script.ScriptException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** Pages for customers. */
public final class Portal {
  private static final Path ROOT = Path.of("/srv/portal");
  private static final String CIPHER = "DES/CBC/PKCS5Padding";
  private static final Random DRAW = new Random();

  private final Runtime runtime = Runtime.getRuntime();

  public void file(HttpServletRequest request, HttpServletResponse response) throws IOException {
    var file = new File("/srv/portal/" + request.getParameter("file"));
    Files.copy(file.toPath(), response.getOutputStream());
  }

  public void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String name = request.getHeader("X-Page");
    Path page = ROOT.resolve("pages").resolve(name);
    response.getWriter().write(Files.readString(page));
  }

  public void image(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Path image = ROOT.resolve(request.getParameter("image")).normalize();
    if (!image.startsWith(ROOT)) {
      response.sendError(403);
      return;
    }
    Files.copy(image, response.getOutputStream());
  }

  public void unpack(InputStream upload, Path target) throws IOException {
    try (var zip = new ZipInputStream(upload)) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Files.copy(zip, target.resolve(entry.getName()));
      }
    }
  }

  public void convert(HttpServletRequest request) throws IOException {
    Runtime.getRuntime().exec("sh -c convert " + request.getParameter("file"));
  }

  public Process report(String name) throws IOException {
    var command = List.of("/bin/sh", "-c", "report --name " + name + " | gzip > out.gz");
    return new ProcessBuilder(command).inheritIO().start();
  }

  public Process archive(String name) throws IOException {
    String[] line = {"bash", "-c", null};
    line[2] = String.join(" ", "tar", "czf", name + ".tgz", "/srv/portal");
    return runtime.exec(line);
  }

  public Process list(Path folder) throws IOException {
    return new ProcessBuilder("ls", "-l", folder.toString()).start();
  }

  public Object formula(HttpServletRequest request) throws ScriptException {
    var engine = new ScriptEngineManager().getEngineByName("js");
    return engine.eval("var x = " + request.getParameter("x") + "; x * 2");
  }

  public Object constant() throws ScriptException {
    return new ScriptEngineManager().getEngineByName("js").eval("6 * 7");
  }

  public String token() {
    return Long.toHexString(new Random().nextLong());
  }

  public String inviteCode() {
    return DRAW.ints(12, 'a', 'z' + 1).mapToObj(Character::toString).collect(Collectors.joining());
  }

  public String sessionId() {
    byte[] bytes = new byte[16];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public byte[] key() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  public long pause(long base) {
    return base + DRAW.nextLong(base);
  }

  public byte[] passwordHash(String password) throws GeneralSecurityException {
    var digest = MessageDigest.getInstance("MD5");
    return digest.digest(password.getBytes(StandardCharsets.UTF_8));
  }

  public byte[] fingerprint(byte[] bytes) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  public byte[] seal(SecretKey key, byte[] text) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(Cipher.ENCRYPT_MODE, key);
    return cipher.doFinal(text);
  }

  public byte[] sealWell(SecretKey key, byte[] text) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, key);
    return cipher.doFinal(text);
  }

  public SSLContext trusting() throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(
        null,
        new TrustManager[] {
          new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
              return new X509Certificate[0];
            }
          }
        },
        null);
    return context;
  }

  public void anyHost(HttpsURLConnection connection) {
    connection.setHostnameVerifier((host, session) -> true);
  }

  public void thisHost(HttpsURLConnection connection, String wanted) {
    connection.setHostnameVerifier((host, session) -> host.equals(wanted));
  }

  public Document parse(InputStream xml)
      throws ParserConfigurationException, IOException, SAXException {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml);
  }

  public XMLStreamReader stream(InputStream xml) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory.createXMLStreamReader(xml);
  }

  public Document parseSafely(InputStream xml)
      throws ParserConfigurationException, IOException, SAXException {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(xml);
  }

  public void allow(HttpExchange exchange) {
    var origin = exchange.getRequestHeaders().getFirst("Origin");
    exchange.getResponseHeaders().set("Access-Control-Allow-Origin", origin);
    exchange.getResponseHeaders().set("Access-Control-Allow-Credentials", "true");
  }

  public void greet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.getWriter().printf("<h1>Hello %s</h1>", request.getParameter("name"));
  }

  public String[] sorted(String... names) {
    Arrays.sort(names);
    return names;
  }
}
