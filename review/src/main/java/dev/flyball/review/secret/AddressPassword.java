package dev.flyball.review.secret;

import java.util.Optional;

/** The password in an address, as in {@code redis://:pw@host}; it may have any sign in it. */
final class AddressPassword {
  private static final String KIND = "password in an address";
  private static final int LONGEST = 1_000;
  private static final int LEAST_TOKEN = 20;

  private AddressPassword() {}

  /**
   * Behind a colon and two slashes.
   *
   * @param at of the colon
   */
  static Optional<Secret> behind(CharSequence text, Runs runs, int at) {
    int start = at + 3;
    int end = Math.min(runs.end(Alphabet.ADDRESS, start), start + LONGEST);
    int colon = -1;
    int first = -1;
    int last = -1;
    for (int i = start; i < end; i++) {
      char each = text.charAt(i);
      if (colon < 0 && (each == '/' || each == '?' || each == '#')) {
        break;
      }
      if (each == ':' && colon < 0 && first < 0) {
        colon = i;
      } else if (each == '@') {
        first = first < 0 ? i : first;
        last = isHost(text, i + 1, end) ? i : last;
      } else if (each == ':'
          && i + 2 < end
          && text.charAt(i + 1) == '/'
          && text.charAt(i + 2) == '/') {
        break;
      }
    }
    if (first < 0 || last < 0) {
      return Optional.empty();
    }
    if (colon < 0) {
      var token = text.subSequence(start, first);
      return token.length() >= LEAST_TOKEN && ValueLook.isRandom(token)
          ? Optional.of(new Secret(start, first, KIND, Secret.Sign.NAME))
          : Optional.empty();
    }
    return last > colon + 1 && isPassword(text, start, colon, last)
        ? Optional.of(new Secret(colon + 1, last, KIND, Secret.Sign.NAME))
        : Optional.empty();
  }

  private static boolean isPassword(CharSequence text, int start, int colon, int end) {
    var user = text.subSequence(start, colon);
    var password = text.subSequence(colon + 1, end).toString();
    if (password.length() < 3
        || password.contentEquals(user)
        || StandIn.is(password)
        || isTemplate(password)
        || isTemplate(user.toString())) {
      return false;
    }
    int digits = 0;
    while (digits < password.length() && ValueLook.isDigit(password.charAt(digits))) {
      digits++;
    }
    boolean port = digits < password.length() && "/?#".indexOf(password.charAt(digits)) >= 0;
    if (port && digits > 0) {
      return false;
    }
    // A path behind a port that is written as a word may have an at sign in it too.
    return password.indexOf('/') < 0 || !ValueLook.isWordy(password) || !isWeb(text, start);
  }

  private static boolean isWeb(CharSequence text, int start) {
    return Words.startsWith(text, start - 7, "http://")
        || Words.startsWith(text, start - 8, "https://");
  }

  private static boolean isTemplate(String part) {
    return part.indexOf('{') >= 0
        || part.indexOf('<') >= 0
        || part.indexOf('[') >= 0
        || part.startsWith("$")
        || part.startsWith("%s")
        || part.startsWith("%d")
        || part.endsWith("%")
        || part.startsWith("*");
  }

  private static boolean isHost(CharSequence text, int from, int end) {
    int at = from;
    while (at < end && (Alphabet.DOTTED.has(text.charAt(at)) && text.charAt(at) != '~')) {
      at++;
    }
    if (at == from) {
      return at < end && "[{$%".indexOf(text.charAt(at)) >= 0;
    }
    return at >= end || ":/?#,;)]}!.".indexOf(text.charAt(at)) >= 0;
  }
}
