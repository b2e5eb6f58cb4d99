package dev.flyball.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flyball.simulator.setting.Answers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in what is reviewed, through the command: none gets out on any way. */
@Timeout(300)
class SecretAttackTest {
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  @TempDir private Path folder;
  private final Random random = new Random(7);
  private CommandDesk desk;

  @BeforeEach
  void sit() throws Exception {
    desk = new CommandDesk(folder.resolve("here"));
    desk.environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
    assertThat(desk.folder.toFile().mkdirs()).isTrue();
    desk.git("init", "-q");
    desk.put("README.md", "words\n");
    desk.commit("first");
  }

  @AfterEach
  void leave() {
    desk.close();
  }

  private String drawn(String letters, int length) {
    var value = new StringBuilder();
    for (int i = 0; i < length; i++) {
      value.append(letters.charAt(random.nextInt(letters.length())));
    }
    return value.append(random.nextInt(10)).toString();
  }

  private String word(int length) {
    return drawn(LETTERS, length - 1);
  }

  private String hex(int length) {
    return drawn("0123456789abcdef", length - 1);
  }

  /** Lines of a settings module, by the secret in each. */
  private Map<String, String> lines() {
    var lines = new LinkedHashMap<String, String>();
    for (var prefix :
        List.of(
            "ghp_%36",
            "github_pat_%60",
            "glpat-%20",
            "gho_%36",
            "npm_%36",
            "hf_%34",
            "sk_live_%24",
            "sk_test_%24",
            "rk_live_%24",
            "whsec_%32",
            "xoxb-123456789012-%24",
            "sk-proj-%60",
            "sk-ant-api03-%80",
            "gsk_%52",
            "r8_%37",
            "lin_api_%40",
            "ntn_%46",
            "figd_%40",
            "GOCSPX-%28",
            "AIza%35",
            "pypi-AgEIcHlwaS5vcmc%80",
            "hvs.%40",
            "dp.pt.%43",
            "pscale_pw_%43",
            "NRAK-%27",
            "EZAK%54",
            "sq0atp-%22",
            "dckr_pat_%27",
            "xai-%80",
            "glsa_%32_1234abcd",
            "SG.%22.%43",
            "tskey-auth-%20",
            "nfp_%36",
            "HRKU-%36")) {
      var value = prefix;
      for (int at = value.indexOf('%'); at >= 0; at = value.indexOf('%')) {
        int end = at + 3;
        value =
            value.substring(0, at)
                + word(Integer.parseInt(value.substring(at + 1, end)))
                + value.substring(end);
      }
      lines.put(value, "VALUE_%d = \"%s\"".formatted(lines.size(), value));
    }
    for (var prefix :
        List.of(
            "dop_v1_64", "shpat_32", "shpss_32", "sbp_40", "dapi32", "SK32", "key-32", "squ_40")) {
      int digits = prefix.length() - 2;
      var value = prefix.substring(0, digits) + hex(Integer.parseInt(prefix.substring(digits)));
      lines.put(value, "VALUE_%d = '%s'".formatted(lines.size(), value));
    }
    for (var shape :
        List.of(
            "AWS_SECRET_ACCESS_KEY = \"%s\"",
            "SECRET_KEY = '%s'",
            "    \"client_secret\": \"%s\",",
            "api_key = \"%s\"",
            "# password: %s",
            "DB_PWD = \"%s\"",
            "url = \"redis://:%s@cache/0\"",
            "url = \"amqp://app:%s@mq/v\"",
            "h = {\"Authorization\": \"Bearer %s\"}",
            "signed = \"https://x.test/b?sv=1&sig=%s\"",
            "conn = \"AccountName=a;AccountKey=%s\"",
            "os.environ.setdefault(\"APP_TOKEN\", \"%s\")")) {
      var value = word(40);
      lines.put(value, shape.formatted(value));
    }
    var login = "app:" + word(20);
    var coded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    lines.put(coded, "h = {\"Authorization\": \"Basic " + coded + "\"}");
    var key = word(64);
    lines.put(key, "-----BEGIN RSA PRIVATE KEY-----\n" + key + "\n" + word(64));
    var pgp = word(64);
    lines.put(
        pgp,
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n"
            + pgp
            + "\n-----END PGP PRIVATE KEY BLOCK-----");
    return lines;
  }

  private CommandDesk.Screen review(String address, String format, String... more) {
    var args = new ArrayList<>(List.of("review", "--diff", "HEAD", "--format", format));
    args.addAll(List.of("--base-url", address, "--model", "claude-haiku-4-5"));
    args.addAll(List.of("--progress", "none"));
    args.addAll(List.of(more));
    return desk.flyball(args.toArray(String[]::new));
  }

  private static void assertNone(Iterable<String> values, String where, String text) {
    for (var value : values) {
      assertThat(text.contains(value)).as(where + " shows " + value).isFalse();
    }
  }

  /** In everything that was written, but for the sources and what Git keeps of them. */
  private void assertNoneWritten(Iterable<String> values) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var path = folder.relativize(file).toString();
        if (!path.startsWith("here/.git/") && !path.startsWith("here/src/")) {
          assertNone(values, path, Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
    }
  }

  @Test
  void no_value_gets_out_and_each_is_a_critical_finding() throws Exception {
    var lines = lines();
    desk.put("src/conf.py", String.join("\n", lines.values()) + "\n");
    desk.commit("second");
    try (var provider = RecordingProvider.start()) {
      for (var format : List.of("json", "terminal", "markdown", "sarif", "annotations")) {
        var screen = review(provider.address().toString(), format);
        assertThat(screen.exit()).as(screen.err()).isEqualTo(1);
        assertNone(lines.keySet(), format, screen.out());
        assertNone(lines.keySet(), "stderr of " + format, screen.err());
        if (format.equals("json")) {
          var review = CommandDesk.JSON.readTree(screen.out());
          assertThat(review.path("verdict").asText()).isEqualTo("changes_requested");
          long found =
              review
                  .path("findings")
                  .valueStream()
                  .filter(finding -> finding.path("rule").asText().equals("secret"))
                  .filter(finding -> finding.path("severity").asText().equals("critical"))
                  .count();
          assertThat(found).isGreaterThanOrEqualTo(lines.size());
        }
      }
      assertThat(provider.heard()).isNotEmpty();
      assertThat(provider.wasShown("[secret: ")).isTrue();
      for (var heard : provider.heard()) {
        assertNone(lines.keySet(), "a request", heard.said());
        assertNone(lines.keySet(), "a request", heard.body());
      }
      var plan = review(provider.address().toString(), "terminal", "--plan", "--show-prompts");
      assertThat(plan.out()).contains("[secret: ");
      assertNone(lines.keySet(), "the plan", plan.out() + plan.err());
    }
    assertNoneWritten(lines.keySet());
  }

  @Test
  void what_a_model_says_is_printed_and_kept_without_secrets() throws Exception {
    var value = "ghp_" + word(36);
    desk.put("src/conf.py", "total = first + second\n");
    desk.commit("second");
    var finding = CommandDesk.JSON.createObjectNode();
    finding.put("lens", "security").put("file", "src/conf.py").put("severity", "major");
    finding.put("category", "security").put("quote", "total = first + second");
    finding.put("title", "uses " + value).put("message", "the key " + value + " is known");
    finding.put("suggestion", "replace " + value).put("confidence", 0.9);
    var answer =
        "{\"reviewed\":[\"src/conf.py\"],\"findings\":[" + finding + "],\"needsMoreContext\":[]}";
    var file = folder.resolve("answers.jsonl");
    var line = CommandDesk.JSON.createObjectNode().put("pattern", "(?s).*").put("answer", answer);
    Files.writeString(file, line + "\n");
    desk.provider(CommandDesk.quick().answers(Answers.parse(file.toString())));
    for (var format : List.of("json", "terminal", "markdown", "sarif", "annotations")) {
      var screen = review(desk.simulator().uri().toString(), format);
      assertThat(screen.out()).contains("secret: 40 characters");
      assertNone(List.of(value), format, screen.out() + screen.err());
    }
    Files.delete(file);
    assertNoneWritten(List.of(value));
  }

  /** The words that were to be reviewed must not be hidden: they are the defect. */
  @Test
  void a_word_is_shown_whatever_it_is_called() throws Exception {
    var text = "data.refresh_token = \"refresh_token\";\n";
    desk.put("src/a.js", text);
    desk.commit("second");
    try (var provider = RecordingProvider.start()) {
      var screen = review(provider.address().toString(), "json");
      assertThat(screen.exit()).as(screen.err()).isZero();
      assertThat(provider.wasShown(text.strip())).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# -----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----",
        "password=password=password=",
        "://a:b://a:b",
        "eyJaaaaaaaaaaaa.eyJ"
      })
  @Timeout(60)
  void a_large_file_of_what_looks_like_a_beginning_is_done_soon(String line) throws Exception {
    desk.put("src/long.py", (line + "\n").repeat(1_000_000 / (line.length() + 1)));
    desk.commit("second");
    var screen = desk.flyball("review", "--diff", "HEAD", "--format", "json");
    assertThat(screen.exit()).as(screen.err()).isLessThan(2);
  }
}
