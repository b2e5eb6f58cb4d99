package dev.flyball.review.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * How many secrets are found, and how many other things are taken for one, on a set of our own. The
 * secrets are drawn from a seed, so that none is written anywhere.
 */
final class SecretsEvaluationTest {
  private static final double LEAST_FOUND = 0.95;
  private static final double MOST_TAKEN = 0.01;

  private final Random random = new Random(14);
  private final List<String> missed = new ArrayList<>();
  private int tried;

  /** The value is in the text once; all of it has to be taken. */
  private void look(String kind, String text, String value) {
    tried++;
    if (Secrets.hidden(text).contains(value) || !text.contains(value)) {
      missed.add(kind + ": " + text);
    }
  }

  @Test
  void issued_forms_are_found_in_every_shape() throws IOException {
    var forms = lines("issued.txt");
    assertThat(forms).hasSizeGreaterThanOrEqualTo(60);
    for (var line : forms) {
      var fields = line.split(" \\| ", -1);
      for (var shape :
          List.of(
              "+    client = connect(\"%s\")\n",
              "value: %s\n",
              "{\\\"a\\\": \\\"%s\\\", \\\"b\\\": 1}",
              "2026-01-01 INFO said '%s', went on",
              "X_THING=%s",
              "text\\n%s\\nmore")) {
        var value = drawn(fields[1]);
        look(fields[0], shape.replace("%s", value), value);
      }
    }
    hold("issued forms");
  }

  @Test
  void values_with_a_telling_name_are_found_in_every_shape() {
    var shapes =
        List.of(
            "    db_password = \"%s\"\n",
            "password=%s\n",
            "  password: %s\n",
            "  password: '%s'\n",
            "\"dbPassword\": \"%s\",",
            "const PASSWORD = `%s`;",
            "DB_PWD=%s",
            "export DB_PASSWD='%s'",
            "PASSPHRASE = \"%s\"",
            "\"client_secret\": \"%s\"",
            "secret => '%s',",
            "var password string = \"%s\"",
            "String password = \"%s\";",
            "<password>%s</password>",
            "<property name=\"password\" value=\"%s\"/>",
            "user.setPassword(\"%s\");",
            "define('DB_PASSWORD', '%s');",
            "tool --password %s --force",
            "tool --password=%s --force",
            "mysql -u root -p%s app",
            "curl -u admin:%s https://example.com",
            "ALTER USER app IDENTIFIED BY '%s';",
            "\"Server=db;User Id=sa;Password=%s;\"",
            "- name: DB_PASSWORD\n  value: \"%s\"",
            "password := \"%s\"",
            "os.environ.get(\"DB_PASSWORD\", \"%s\")",
            "process.env.DB_PASSWORD || '%s'",
            "{\\\"password\\\": \\\"%s\\\"}",
            "+spring.datasource.password=%s",
            "postgres://app:%s@db.internal:5432/app",
            "redis://:%s@cache:6379/0");
    for (var shape : shapes) {
      for (var form : List.of("{w12}", "{a7}{d2}!", "{w3}{d1}x!{w3}{d2}#{w2}7")) {
        var value = drawn(form);
        look("password", shape.replace("%s", value), value);
      }
    }
    for (var name :
        List.of(
            "API_KEY",
            "apiKey",
            "x-api-key",
            "AWS_SECRET_ACCESS_KEY",
            "aws_session_token",
            "SECRET_KEY",
            "accessToken",
            "refresh_token",
            "auth_token",
            "DATADOG_API_KEY",
            "encryptionKey",
            "SigningKey",
            "Ocp-Apim-Subscription-Key",
            "cohere_api_key",
            "oktaApiToken",
            "jwt",
            "AccountKey",
            "private_key",
            "credentials")) {
      for (var shape :
          List.of("%n = \"%s\"", "%n: %s", "\"%n\": \"%s\"", "export %n=%s", "?%n=%s&a=1")) {
        for (var form : List.of("{w32}", "{h40}", "{b43}=", "{h8}-{h4}-{h4}-{h4}-{h12}")) {
          var value = drawn(form);
          look(name, shape.replace("%n", name).replace("%s", value), value);
        }
      }
    }
    hold("telling names");
  }

  @Test
  void blocks_headers_and_coded_logins_are_found() {
    for (var title : List.of("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ")) {
      for (var sign : List.of("", "+", "-", " ", "    ", "# ", "+  ")) {
        var body = new ArrayList<String>();
        for (int i = 0; i < 8; i++) {
          body.add(drawn("{b64}"));
        }
        body.add(drawn("{b22}") + "==");
        var begin = sign + "-----BEGIN " + title + "PRIVATE KEY-----\n";
        var end = sign + "-----END " + title + "PRIVATE KEY-----\n";
        var lines = sign + String.join("\n" + sign, body) + "\n";
        for (var line : body) {
          look("whole key", "a\n" + begin + lines + end + "b\n", line);
          look("key without its end", "a\n" + begin + lines, line);
          look("key without its beginning", lines + end, line);
        }
        if (sign.length() <= 1) {
          look("piece of a key", "@@ lines 1 to 9 @@\n" + lines, body.get(3));
        }
        var escaped = String.join("\\n", body);
        look(
            "key on one line",
            "\"k\": \"-----BEGIN "
                + title
                + "PRIVATE KEY-----\\n"
                + escaped
                + "\\n-----END "
                + title
                + "PRIVATE KEY-----\\n\"",
            body.get(4));
      }
    }
    var pgp = drawn("{b64}");
    look(
        "PGP",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n"
            + pgp
            + "\n"
            + drawn("{b64}")
            + "\n="
            + drawn("{w4}")
            + "\n-----END PGP PRIVATE KEY BLOCK-----\n",
        pgp);
    for (int i = 0; i < 20; i++) {
      var login = coded(drawn("{a6}") + ":" + drawn("{w12}"));
      look("basic", "Authorization: Basic " + login, login);
      look("docker", "\"auths\": {\"r\": {\"auth\": \"" + login + "\"}}", login);
      var opaque = drawn("{u32}");
      look("bearer", "-H 'Authorization: Bearer " + opaque + "'", opaque);
      var coded = coded(drawn("{w14}"));
      look("cluster", "apiVersion: v1\nkind: Secret\ndata:\n  anything: " + coded + "\n", coded);
      var password = drawn("{w5}") + "@" + drawn("{w3}") + "/" + drawn("{w4}");
      look("address", "amqp://app:" + password + "@mq.internal/v", password);
      var second = drawn("{b40}");
      look("AWS pair", drawn("AKIA{A16}") + " " + second, second);
    }
    hold("blocks and headers");
  }

  @Test
  void what_only_looks_alike_is_left() throws IOException {
    var lines = lines("look-alikes.txt");
    assertThat(lines).hasSizeGreaterThanOrEqualTo(300);
    var taken = lines.stream().filter(line -> !Secrets.in(line).isEmpty()).toList();
    System.out.printf("look-alikes taken: %d of %d%n", taken.size(), lines.size());
    assertThat((double) taken.size() / lines.size())
        .as(String.join("\n", taken))
        .isLessThanOrEqualTo(MOST_TAKEN);
    var all = String.join("\n", lines);
    assertThat(Secrets.in(all).size()).isLessThanOrEqualTo(taken.size() + 1);
  }

  private void hold(String what) {
    double found = 1 - (double) missed.size() / tried;
    System.out.printf("%s: %.3f of %d found%n", what, found, tried);
    assertThat(found).as(String.join("\n", missed)).isGreaterThanOrEqualTo(LEAST_FOUND);
  }

  private static String coded(String plain) {
    return Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  private String drawn(String form) {
    var value = new StringBuilder();
    for (int at = 0; at < form.length(); ) {
      if (form.charAt(at) == '{') {
        int close = form.indexOf('}', at);
        var letters = letters(form.charAt(at + 1));
        int count = Integer.parseInt(form.substring(at + 2, close));
        int start = value.length();
        do {
          value.setLength(start);
          for (int i = 0; i < count; i++) {
            value.append(letters.charAt(random.nextInt(letters.length())));
          }
        } while (count >= 7 && value.substring(start).chars().noneMatch(Character::isDigit));
        at = close + 1;
      } else {
        value.append(form.charAt(at++));
      }
    }
    return value.toString();
  }

  private static String letters(char sign) {
    var digits = "0123456789";
    var small = "abcdefghijklmnopqrstuvwxyz";
    var all = small.toUpperCase(java.util.Locale.ROOT) + small + digits;
    return switch (sign) {
      case 'd' -> digits;
      case 'h' -> digits + "abcdef";
      case 'a' -> small + digits;
      case 'A' -> small.toUpperCase(java.util.Locale.ROOT) + digits;
      case 'w' -> all;
      case 'u' -> all + "_-";
      case 'b' -> all + "+/";
      default -> throw new IllegalArgumentException("no letters are called " + sign);
    };
  }

  private static List<String> lines(String name) throws IOException {
    try (var in = SecretsEvaluationTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("# Real") && !line.startsWith("# {"))
          .toList();
    }
  }
}
