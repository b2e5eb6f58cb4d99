package dev.flyball.review.relation;

import dev.flyball.review.symbol.Outline;
import dev.flyball.review.symbol.SyntaxTokens;
import dev.flyball.review.symbol.SyntaxTokens.TokenKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The places where the code of a file uses a name. Comments, strings and prose use nothing, and
 * what declares a name does not use it.
 */
final class NameUses {
  /** Stands before the point of what is no plain name, such as the value of a call. */
  static final String SOMETHING = "?";

  /**
   * One of them.
   *
   * @param qualifier what stands before the point; empty if the name stands alone
   * @param called whether arguments follow
   * @param taken whether the file takes this name from elsewhere
   */
  record NameUse(String name, int line, String qualifier, boolean called, boolean taken) {}

  private NameUses() {}

  /** In the order of the file; none in a file without a grammar. */
  static List<NameUse> of(Outline outline, String text, Set<String> names) {
    if (outline.language().isEmpty()) {
      return List.of();
    }
    var tokens = SyntaxTokens.of(outline.language().get(), text);
    var lines = lines(text);
    var declared = declared(outline, tokens, lines, names);
    var uses = new ArrayList<NameUse>();
    for (int i = 0; i < tokens.count(); i++) {
      if (tokens.sort(i) != TokenKind.WORD || declared.get(i)) {
        continue;
      }
      var name = tokens.text(i);
      if (!names.contains(name)) {
        continue;
      }
      var qualifier = qualifier(tokens, i);
      boolean taken =
          qualifier.isEmpty()
              && outline.imports().stream()
                  .anyMatch(it -> it.names().contains(name) || last(it.module()).equals(name));
      uses.add(
          new NameUse(name, line(lines, tokens.start(i)), qualifier, tokens.is(i + 1, "("), taken));
    }
    return uses;
  }

  /** The last part of a path or of a name with points. */
  static String last(String path) {
    return path.substring(
        1
            + Math.max(
                path.lastIndexOf('/'), Math.max(path.lastIndexOf('.'), path.lastIndexOf(':'))));
  }

  private static String qualifier(SyntaxTokens tokens, int at) {
    int mark = at - 1;
    if (tokens.is(mark, ".")) {
      mark -= tokens.is(mark - 1, "?") ? 2 : 1;
    } else if ((tokens.is(mark, ":") && tokens.is(mark - 1, ":"))
        || (tokens.is(mark, ">") && tokens.is(mark - 1, "-"))) {
      mark -= 2;
    } else {
      return "";
    }
    return mark >= 0 && tokens.sort(mark) == TokenKind.WORD ? tokens.text(mark) : SOMETHING;
  }

  /** The tokens that name what the file declares: the first of each declaration. */
  private static BitSet declared(
      Outline outline, SyntaxTokens tokens, int[] lines, Set<String> names) {
    var declared = new BitSet();
    for (var symbol : outline.symbols()) {
      if (!names.contains(symbol.name())) {
        continue;
      }
      int from = symbol.line() <= lines.length ? lines[symbol.line() - 1] : Integer.MAX_VALUE;
      for (int i = first(tokens, from);
          i < tokens.count() && line(lines, tokens.start(i)) <= symbol.endLine();
          i++) {
        if (tokens.sort(i) == TokenKind.WORD && tokens.is(i, symbol.name()) && !declared.get(i)) {
          declared.set(i);
          break;
        }
      }
    }
    return declared;
  }

  private static int first(SyntaxTokens tokens, int offset) {
    int low = 0;
    int high = tokens.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tokens.start(middle) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The offsets at which lines begin. */
  private static int[] lines(String text) {
    var starts = new ArrayList<Integer>(List.of(0));
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      starts.add(end + 1);
    }
    return starts.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int line(int[] lines, int offset) {
    int found = Arrays.binarySearch(lines, offset);
    return found < 0 ? -found - 1 : found + 1;
  }
}
