package dev.flyball.review.secret;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What the name of a value says of it. */
enum TellingName {
  /** Something that a person may have thought of. */
  PASSWORD("password"),
  /** Something that a program has drawn. */
  TOKEN("secret value"),
  /** A user and a password, joined and coded. */
  LOGIN("coded login");

  private static final int LONGEST = 80;

  private static final Set<String> PASSWORDS =
      Set.of("pass", "pwd", "pw", "psw", "passcode", "passwd", "secret", "secrets", "requirepass");
  private static final List<String> PASSWORD_ENDS =
      List.of("password", "passwd", "passphrase", "passwort", "userpwd", "dbpwd", "secret");
  private static final Set<String> TOKENS =
      Set.of("jwt", "bearer", "credential", "credentials", "sas", "authorization", "cookie");
  private static final List<String> TOKEN_ENDS =
      List.of(
          "token",
          "apikey",
          "secretkey",
          "accesskey",
          "privatekey",
          "authkey",
          "signingkey",
          "encryptionkey",
          "accountkey",
          "masterkey",
          "sharedkey",
          "sharedaccesskey",
          "storagekey",
          "connectionstring",
          "appkey");
  private static final Set<String> LOGINS = Set.of("auth", "basicauth");

  /** What makes a key one that is kept secret. */
  private static final Set<String> OF_KEYS =
      Set.of(
          "api",
          "access",
          "secret",
          "private",
          "auth",
          "authentication",
          "signing",
          "sign",
          "encryption",
          "encrypt",
          "crypto",
          "cipher",
          "aes",
          "hmac",
          "jwt",
          "account",
          "master",
          "shared",
          "storage",
          "service",
          "license",
          "deploy",
          "ssh",
          "webhook",
          "client",
          "app",
          "application",
          "consumer",
          "session",
          "subscription",
          "admin",
          "server",
          "integration",
          "write",
          "ingest",
          "instrumentation",
          "rapidapi",
          "datadog",
          "dd",
          "algolia",
          "google",
          "maps",
          "stripe",
          "aws",
          "azure",
          "openai",
          "anthropic",
          "cohere",
          "mistral",
          "gemini",
          "sendgrid",
          "mailgun",
          "twilio",
          "fastly",
          "cloudflare",
          "heroku",
          "okta",
          "segment",
          "firebase",
          "fcm",
          "pagerduty",
          "opsgenie",
          "codecov",
          "coveralls",
          "snyk");

  /** What may stand behind the telling word and change nothing. */
  private static final Set<String> SUFFIXES =
      Set.of(
          "value",
          "val",
          "string",
          "str",
          "text",
          "plain",
          "plaintext",
          "raw",
          "base",
          "b",
          "encoded",
          "prod",
          "production",
          "dev",
          "development",
          "staging",
          "stage",
          "test",
          "live",
          "sandbox",
          "default",
          "new",
          "old",
          "current",
          "primary",
          "secondary",
          "main",
          "env",
          "literal",
          "for",
          "const");

  private final String kind;

  TellingName(String kind) {
    this.kind = kind;
  }

  String kind() {
    return kind;
  }

  /** Whether a value of such a name is a secret. */
  boolean fits(CharSequence value) {
    return switch (this) {
      case PASSWORD -> ValueLook.isPassword(value);
      case TOKEN -> ValueLook.isRandom(value);
      case LOGIN -> CodedLogin.is(value) || ValueLook.isRandom(value);
    };
  }

  /** By a name as it is written: snake, kebab, camel or all capitals. */
  static Optional<TellingName> of(CharSequence name) {
    if (name.length() < 2 || name.length() > LONGEST) {
      return Optional.empty();
    }
    var words = words(name);
    while (words.size() > 1 && SUFFIXES.contains(words.getLast())) {
      words.removeLast();
    }
    if (words.isEmpty()) {
      return Optional.empty();
    }
    var last = words.getLast();
    var before = words.size() > 1 ? words.get(words.size() - 2) : "";
    if ((last.equals("phrase") && before.equals("pass"))
        || (last.equals("word") && before.equals("pass"))
        || PASSWORDS.contains(last)
        || PASSWORD_ENDS.stream().anyMatch(last::endsWith)) {
      return Optional.of(PASSWORD);
    }
    if (isPublicKey(words)) {
      return Optional.empty();
    }
    if (LOGINS.contains(last) && words.size() <= 3) {
      return Optional.of(LOGIN);
    }
    if (TOKENS.contains(last)
        || TOKEN_ENDS.stream().anyMatch(last::endsWith)
        || (last.equals("key") && OF_KEYS.contains(before))
        || (last.equals("string") && before.equals("connection"))) {
      return Optional.of(TOKEN);
    }
    return Optional.empty();
  }

  /** A public key, or what one is known by, as every .NET assembly has it. */
  private static boolean isPublicKey(List<String> words) {
    int key = words.lastIndexOf("key");
    return key > 0 && words.get(key - 1).equals("public");
  }

  private static List<String> words(CharSequence name) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char each = name.charAt(i);
      boolean letter = ValueLook.isCapital(each) || ValueLook.isSmall(each);
      boolean hump =
          ValueLook.isCapital(each)
              && i > 0
              && (ValueLook.isSmall(name.charAt(i - 1))
                  || (i + 1 < name.length()
                      && ValueLook.isSmall(name.charAt(i + 1))
                      && ValueLook.isCapital(name.charAt(i - 1))));
      if ((!letter || hump) && !word.isEmpty()) {
        words.add(word.toString().toLowerCase(Locale.ROOT));
        word.setLength(0);
      }
      if (letter) {
        word.append(each);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString().toLowerCase(Locale.ROOT));
    }
    return words;
  }
}
