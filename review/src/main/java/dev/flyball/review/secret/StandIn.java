package dev.flyball.review.secret;

import java.util.List;
import java.util.Set;

/**
 * What is written where a secret would be: a usual word, a row of x, or where the secret is kept.
 */
final class StandIn {
  /** What people write where a secret would be. */
  private static final Set<String> STAND_INS =
      Set.of(
          "password",
          "passwd",
          "passwort",
          "pass",
          "pwd",
          "passphrase",
          "secret",
          "token",
          "key",
          "apikey",
          "mypassword",
          "clientsecret",
          "passpass",
          "userpass",
          "aladdin",
          "mysecret",
          "mytoken",
          "mykey",
          "secretkey",
          "user",
          "username",
          "admin",
          "root",
          "guest",
          "test",
          "tests",
          "testing",
          "tester",
          "testpass",
          "testpassword",
          "testuser",
          "testtoken",
          "testkey",
          "testsecret",
          "foo",
          "bar",
          "baz",
          "foobar",
          "abc",
          "abcd",
          "abcdef",
          "xyz",
          "qwerty",
          "asdf",
          "letmein",
          "welcome",
          "default",
          "dummy",
          "fake",
          "mock",
          "sample",
          "demo",
          "example",
          "string",
          "value",
          "none",
          "null",
          "true",
          "false",
          "undefined",
          "empty",
          "todo",
          "login",
          "temp",
          "tmp",
          "postgres",
          "mysql",
          "redis",
          "mongo",
          "rabbitmq",
          "elastic",
          "minio",
          "minioadmin",
          "newpassword",
          "oldpassword",
          "userpassword",
          "adminpassword",
          "rootpassword",
          "wrongpassword",
          "secretpassword",
          "supersecret",
          "topsecret",
          "verysecret",
          "pw",
          "somepassword",
          "anotherpassword",
          "badpassword",
          "md",
          "sha",
          "utf",
          "base",
          "oauth",
          "hmac",
          "bcrypt",
          "argon",
          "jwt",
          "rs",
          "hs",
          "es",
          "ps",
          "aes",
          "rsa");

  /** Words by which a text says that something else goes here. */
  private static final List<String> SAYS_SO =
      List.of(
          "example",
          "placeholder",
          "changeme",
          "change-me",
          "change_me",
          "change-this",
          "change_this",
          "your-",
          "your_",
          "yourpass",
          "yoursecret",
          "yourtoken",
          "yourapi",
          "yourkey",
          "my-super",
          "dummy",
          "redacted",
          "insert",
          "replace",
          "goes-here",
          "goes_here",
          "-here",
          "_here",
          "removed",
          "not-a-real",
          "notareal",
          "not_a_real",
          "xxxx",
          "****",
          "....",
          "0000000",
          "1234567890123",
          "fake",
          "invalid",
          "sanitized",
          "foobar");

  /** How values begin that say where a secret is kept. */
  private static final List<String> KEPT_ELSEWHERE =
      List.of(
          "arn:",
          "vault:",
          "env:",
          "file:",
          "op:",
          "ref+",
          "kms:",
          "projects/",
          "secretref:",
          "keyvault",
          "aws:",
          "gcp:",
          "enc:",
          "sha1:",
          "sha256:",
          "sha512:",
          "sha256-",
          "sha384-",
          "sha512-",
          "sha1-",
          "md5:",
          "urn:",
          "data:",
          "$",
          "%",
          "&",
          "*",
          "@",
          "#",
          "^",
          "~/",
          "./",
          "../");

  private StandIn() {}

  /** Whether a value stands where a secret would be, and says so. */
  static boolean is(CharSequence whole) {
    var value = ValueLook.lower(ValueLook.cut(whole));
    var letters = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      if (ValueLook.isSmall(value.charAt(i))) {
        letters.append(value.charAt(i));
      }
    }
    return STAND_INS.contains(letters.toString())
        || isFiller(value)
        || (value.length() < 2 * ValueLook.LEAST_RANDOM
            && SAYS_SO.stream().anyMatch(value::contains))
        || KEPT_ELSEWHERE.stream().anyMatch(value::startsWith);
  }

  /** Whether it is a row of one character, or nearly. */
  static boolean isFiller(CharSequence value) {
    int row = 1;
    int longest = 1;
    for (int i = 1; i < value.length(); i++) {
      row = value.charAt(i) == value.charAt(i - 1) ? row + 1 : 1;
      longest = Math.max(longest, row);
    }
    return value.length() >= 4 && (longest >= 8 || 2 * longest > value.length());
  }
}
