package dev.flyball.review.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Four times the text is four times the work, whatever the text: characters read are counted. */
final class SecretsGrowthTest {
  private static final int SIZE = 50_000;
  private static final double MOST_GROWTH = 4.5;
  private static final long MOST_READ_OF_ONE = 600;

  private record Counted(String text, AtomicLong reads) implements CharSequence {
    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      reads.incrementAndGet();
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      reads.addAndGet(end - start);
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static long work(String piece, int size) {
    var reads = new AtomicLong();
    var text = piece.repeat(size / piece.length() + 1).substring(0, size);
    Secrets.in(new Counted(text, reads));
    return reads.get();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# -----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq3\n",
        "-----END PRIVATE KEY-----\n",
        "MIIEpAIBAAKCAQEA7bq3\n-----END PRIVATE KEY-----",
        "-----BEGIN ",
        "-",
        "- ",
        "--password ",
        "--",
        " -p mysql",
        " -u curl",
        "sk-",
        "sk-a",
        "ghp_",
        "eyJ",
        "eyJaaaaaaaaaaaa.",
        "eyJaaaaaaaaaaaa.eyJ",
        "AKIAABCDEFGHIJKLMNO1 ",
        "AKIAABCDEFGHIJKLMNO1=",
        "1/",
        "xox",
        "M",
        "://",
        "://a:",
        "://a:b@",
        "a://:@",
        "://@",
        "password=",
        "password=\"",
        "password='\"",
        "password=\\\"",
        "password : ",
        "password:\t",
        "token=a1",
        "token=a1b2c3d4,",
        "token=a1&",
        "token>",
        "<token>a1",
        "(\"token\",\"",
        "value=\"a\" name=\"token\" ",
        "value=",
        "name: token\nvalue: ",
        "string=",
        "token string=",
        "kind: Secret\n",
        "kind: Secret\ndata:\n  a: YWJjZGVmZ2g=\n",
        "kind: Secret ",
        "data:\n",
        "Basic ",
        "Bearer a1",
        "Bearer a1b2c3d4e5f6g7h8.",
        "||",
        "token||\"",
        "??",
        "=",
        "\"",
        "'",
        " '",
        "password '",
        "by '",
        ":",
        ":AA",
        "12345678:AA",
        "~",
        "1Q~",
        ".atlasv1.",
        "a.atlasv1.b",
        "-us1",
        "0123456789abcdef0123456789abcdef-us1",
        "\\n",
        "\\",
        "\n",
        " ",
        "\t",
        "+",
        "/",
        "a",
        "A1",
        "é",
        "MIIEpAIBAAKCAQEA7bq3MIIEpAIBAAKCAQEA7bq3MIIEpAIBAAKCAQEA7bq3abcd\n"
      })
  void work_grows_with_the_text_and_no_faster(String piece) {
    long small = work(piece, SIZE);
    long large = work(piece, 4 * SIZE);
    assertThat((double) large / small).as("growth").isLessThanOrEqualTo(MOST_GROWTH);
    assertThat(large / (4 * SIZE)).as("reads of a character").isLessThanOrEqualTo(MOST_READ_OF_ONE);
  }
}
