package dev.flyball.review.ask;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is sent, and counts them. What looks like a key of a known provider, a
 * private key or a password in an address is replaced by a note of its kind.
 */
public final class Redaction {
  /** What is sent instead of a secret. */
  static final String NOTE = "[secret removed]";

  private static final List<Pattern> SECRETS =
      List.of(
          Pattern.compile(
              "-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]{0,20000}?-----END [A-Z ]*PRIVATE"
                  + " KEY-----"),
          Pattern.compile("\\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,}"),
          Pattern.compile("\\b(?:sk|rk)_live_[A-Za-z0-9]{16,}"),
          Pattern.compile("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b"),
          Pattern.compile("\\bgh[pousr]_[A-Za-z0-9]{30,}"),
          Pattern.compile("\\bgithub_pat_[A-Za-z0-9_]{30,}"),
          Pattern.compile("\\bglpat-[A-Za-z0-9_-]{20,}"),
          Pattern.compile("\\bxox[abprs]-[A-Za-z0-9-]{10,}"),
          Pattern.compile("\\bAIza[A-Za-z0-9_-]{35}\\b"),
          Pattern.compile("\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}"),
          Pattern.compile("(?<=://[^\\s:/@]{1,100}:)[^\\s:/@]{3,200}(?=@)"),
          Pattern.compile(
              "(?i)(?<=(?:password|passwd|secret|api_?key|token)[\"']?\\s{0,3}[:=]\\s{0,3}[\"'])"
                  + "[^\"'\\s]{8,200}(?=[\"'])"));

  private final AtomicInteger count = new AtomicInteger();

  /** A text without them. */
  String of(String text) {
    var clean = text;
    for (var secret : SECRETS) {
      clean =
          secret
              .matcher(clean)
              .replaceAll(
                  found -> {
                    count.incrementAndGet();
                    return NOTE;
                  });
    }
    return clean;
  }

  /** How many there were. */
  public int count() {
    return count.get();
  }
}
