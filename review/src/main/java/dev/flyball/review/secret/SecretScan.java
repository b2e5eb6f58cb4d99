package dev.flyball.review.secret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One walk over a text, which stops where a secret may begin. */
final class SecretScan {
  private static final IssuedForm[][] FORMS = forms();
  private static final int AWS_SECRET = 40;
  private static final int AWS_NEAR = 200;
  private static final int LEAST_BEARER = 16;
  private static final int LONGEST_NUMBER = 12;

  private final CharSequence text;
  private final Runs runs;
  private final KeyBlocks blocks;
  private final NamedValues names;
  private final List<Secret> found = new ArrayList<>();

  SecretScan(CharSequence text) {
    this.text = text;
    this.runs = new Runs(text);
    this.blocks = new KeyBlocks(text, runs);
    this.names = new NamedValues(text, runs);
  }

  /** All, in their order, none inside another. */
  List<Secret> secrets() {
    int floor = 0;
    char before = '\n';
    for (int at = 0; at < text.length(); ) {
      int next = at + 1;
      char each = text.charAt(at);
      if (before == '\n') {
        next = taken(blocks.piece(at), next);
      }
      if (each < 128 && FORMS[each] != null && isEdge(at, before)) {
        next = Math.max(next, form(FORMS[each], at, before));
      }
      switch (each) {
        case '-' -> {
          if (Words.startsWith(text, at, KeyBlocks.BEGIN)) {
            var block = blocks.begun(at);
            if (block.secret()) {
              found.add(blocks.secret(at, block));
            }
            next = Math.max(next, block.end());
            floor = next;
          } else if (Words.startsWith(text, at, KeyBlocks.END)) {
            next = taken(blocks.ended(at, floor), at + KeyBlocks.END.length());
            floor = next;
          } else if (next == at + 1) {
            next = taken(names.at(at), next);
            next = taken(mailchimp(at), next);
          }
        }
        case ':' -> {
          if (Words.startsWith(text, at, "://")) {
            next = taken(AddressPassword.behind(text, runs, at), next);
          } else {
            next = taken(telegram(at), next);
            next = next > at + 1 ? next : taken(names.at(at), next);
          }
        }
        case '=', '>', ',', '(', '|', '?', '"', '\'' -> next = taken(names.at(at), next);
        case '~' -> next = taken(azure(at), next);
        case '.' -> next = taken(terraform(at), next);
        case 'B', 'b' -> next = isEdge(at, before) ? taken(header(at), next) : next;
        case 'k' -> {
          if (ClusterSecret.isSaid(text, at)) {
            found.addAll(ClusterSecret.behind(text, at));
          }
        }
        default -> {}
      }
      before = text.charAt(next - 1);
      at = next;
    }
    return apart(found);
  }

  private int taken(Optional<Secret> secret, int next) {
    if (secret.isEmpty()) {
      return next;
    }
    found.add(secret.get());
    return Math.max(next, secret.get().end());
  }

  private int form(IssuedForm[] forms, int at, char before) {
    for (var form : forms) {
      if (form.wordy() && (before == '.' || before == '-' || before == '/')) {
        continue;
      }
      int end = form.end(text, runs, at);
      if (end > 0) {
        found.add(new Secret(at, end, form.kind(), Secret.Sign.FORM));
        return form.kind().startsWith("AWS access") ? taken(afterKeyId(end), end) : end;
      }
    }
    return at + 1;
  }

  /** Whether a word may begin here: an escaped line end or blank is no part of one. */
  private boolean isEdge(int at, char before) {
    return !Alphabet.WORD.has(before)
        || (at > 1 && text.charAt(at - 2) == '\\')
        || (at > 2 && text.charAt(at - 3) == '%' && Alphabet.HEX.has(text.charAt(at - 2)));
  }

  /** The secret that goes with a key id, which has no form but its length. */
  private Optional<Secret> afterKeyId(int from) {
    int most = Math.min(text.length(), from + AWS_NEAR);
    for (int at = from; at < most; ) {
      int end = runs.end(Alphabet.BASE64, at);
      // An equals sign in front joins it to its name.
      int start = at;
      for (int i = at; i < end && i < at + AWS_SECRET; i++) {
        start = text.charAt(i) == '=' ? i + 1 : start;
      }
      if (end - start == AWS_SECRET
          && ValueLook.different(text, start, end) > LEAST_BEARER
          && !ValueLook.isWordy(text.subSequence(start, end))) {
        return Optional.of(new Secret(start, end, "AWS secret key", Secret.Sign.FORM));
      }
      at = Math.max(end, at + 1);
    }
    return Optional.empty();
  }

  /** What stands behind Basic or Bearer in a header. */
  private Optional<Secret> header(int at) {
    boolean basic = Words.startsWithAnyCase(text, at, "basic ");
    if (!basic && !Words.startsWithAnyCase(text, at, "bearer ")) {
      return Optional.empty();
    }
    int start = Words.pastBlanks(text, at + (basic ? 6 : 7), 2);
    int end = runs.end(basic ? Alphabet.BASE64 : Alphabet.BASE64_URL, start);
    while (end > start && text.charAt(end - 1) == '.') {
      end--;
    }
    if (end == start) {
      return Optional.empty();
    }
    var value = text.subSequence(start, Math.min(end, start + ValueLook.LONGEST + 1));
    boolean secret =
        basic ? CodedLogin.is(value) : value.length() >= LEAST_BEARER && ValueLook.isRandom(value);
    return secret
        ? Optional.of(
            new Secret(start, end, basic ? "coded login" : "bearer token", Secret.Sign.FORM))
        : Optional.empty();
  }

  /** A number, a colon, and AA at the beginning of the rest. */
  private Optional<Secret> telegram(int at) {
    int start = at;
    while (start > 0 && at - start < LONGEST_NUMBER && ValueLook.isDigit(text.charAt(start - 1))) {
      start--;
    }
    if (at - start < 8 || !Words.startsWith(text, at + 1, "AA")) {
      return Optional.empty();
    }
    int end = runs.end(Alphabet.URL, at + 1);
    return end - at > 30 && end - at < 45
        ? Optional.of(new Secret(start, end, "Telegram bot token", Secret.Sign.FORM))
        : Optional.empty();
  }

  /** 32 hexadecimal digits with the name of a data centre behind them. */
  private Optional<Secret> mailchimp(int at) {
    if (!Words.startsWith(text, at, "-us") || at < 32) {
      return Optional.empty();
    }
    int end = runs.end(Alphabet.DIGITS, at + 3);
    int start = at - 32;
    for (int i = start; i < at; i++) {
      if (!Alphabet.HEX.has(text.charAt(i))) {
        return Optional.empty();
      }
    }
    boolean edge = start == 0 || isEdge(start, text.charAt(start - 1));
    return edge && end > at + 3 && end <= at + 5
        ? Optional.of(new Secret(start, end, "Mailchimp key", Secret.Sign.FORM))
        : Optional.empty();
  }

  /** Three characters, a digit, Q~ and the rest. */
  private Optional<Secret> azure(int at) {
    int start = at - 5;
    if (start < 0 || text.charAt(at - 1) != 'Q' || !ValueLook.isDigit(text.charAt(at - 2))) {
      return Optional.empty();
    }
    int end = runs.end(Alphabet.DOTTED, at);
    return end - at > 28 && end - at < 40
        ? Optional.of(new Secret(start, end, "Azure client secret", Secret.Sign.FORM))
        : Optional.empty();
  }

  private Optional<Secret> terraform(int at) {
    if (!Words.startsWith(text, at, ".atlasv1.")) {
      return Optional.empty();
    }
    int start = at;
    while (start > 0 && at - start < AWS_SECRET && Alphabet.LETTERS.has(text.charAt(start - 1))) {
      start--;
    }
    int end = runs.end(Alphabet.BASE64_URL, at + 1);
    return at - start >= 10 && end - at > AWS_SECRET
        ? Optional.of(new Secret(start, end, "Terraform token", Secret.Sign.FORM))
        : Optional.empty();
  }

  /** Of those that share characters, one that has all of them, of the surest kind. */
  private static List<Secret> apart(List<Secret> all) {
    var sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingInt(Secret::start).thenComparing(Secret::sign));
    var apart = new ArrayList<Secret>();
    for (var next : sorted) {
      if (apart.isEmpty() || apart.getLast().end() <= next.start()) {
        apart.add(next);
      } else {
        var last = apart.removeLast();
        var surer = next.sign().compareTo(last.sign()) < 0 ? next : last;
        apart.add(
            new Secret(last.start(), Math.max(last.end(), next.end()), surer.kind(), surer.sign()));
      }
    }
    return List.copyOf(apart);
  }

  private static IssuedForm[][] forms() {
    var byFirst = new ArrayList<List<IssuedForm>>();
    for (int i = 0; i < 128; i++) {
      byFirst.add(new ArrayList<>());
    }
    try (var in = SecretScan.class.getResourceAsStream("kinds.txt")) {
      new String(
              Objects.requireNonNull(in, "kinds.txt is missing").readAllBytes(),
              StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(IssuedForm::of)
          .forEach(form -> byFirst.get(form.first().charAt(0)).add(form));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var forms = new IssuedForm[128][];
    for (int i = 0; i < forms.length; i++) {
      forms[i] = byFirst.get(i).toArray(IssuedForm[]::new);
    }
    return forms;
  }
}
