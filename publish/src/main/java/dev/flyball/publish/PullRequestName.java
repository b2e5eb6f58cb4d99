package dev.flyball.publish;

import java.util.regex.Pattern;

/**
 * The name of a pull request, or of a merge request: {@code OWNER/REPO#N}, {@code GROUP/PROJECT!N}.
 */
public record PullRequestName(HostKind kind, String repository, int number) {
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

  public PullRequestName {
    repository(kind, repository);
    if (number < 1) {
      throw new IllegalArgumentException(
          "a pull request is named by a number from 1, but was " + number);
    }
  }

  /** Reads one as people write it. */
  public static PullRequestName of(HostKind kind, String text) {
    int sign = text.lastIndexOf(kind.sign());
    var form = kind == HostKind.GITHUB ? "OWNER/REPO#N" : "GROUP/PROJECT!N";
    var number = sign < 0 ? "" : text.substring(sign + 1);
    if (sign < 0 || !number.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException(
          "a pull request is written %s, not '%s'".formatted(form, text));
    }
    return new PullRequestName(kind, text.substring(0, sign), Integer.parseInt(number));
  }

  /** A repository as it is named there; refused if it cannot be one. */
  public static String repository(HostKind kind, String text) {
    var parts = text.split("/", -1);
    boolean plain = parts.length >= 2;
    for (var part : parts) {
      plain &= PART.matcher(part).matches() && !part.equals(".") && !part.equals("..");
    }
    if (!plain || (kind == HostKind.GITHUB && parts.length != 2)) {
      throw new IllegalArgumentException(
          "a repository of %s is written %s, not '%s'"
              .formatted(
                  kind.title(), kind == HostKind.GITHUB ? "OWNER/REPO" : "GROUP/PROJECT", text));
    }
    return text;
  }

  @Override
  public String toString() {
    return repository + kind.sign() + number;
  }
}
