package dev.flyball.review.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The instructions of a Dockerfile, each with the lines that it is continued on joined. */
final class Dockerfile {
  private static final Pattern ESCAPE = Pattern.compile("(?i)^#\\s*escape\\s*=\\s*`\\s*$");
  private static final Pattern HERE = Pattern.compile("<<-?[\"']?(\\w+)[\"']?");
  private static final int MOST = 20_000;

  /**
   * An instruction.
   *
   * @param name in capitals
   * @param stage the number of the FROM that it stands under, from 1; 0 before the first
   */
  record Instruction(String name, String arguments, int stage, int start, int end) {}

  private Dockerfile() {}

  static List<Instruction> instructions(String text) {
    var found = new ArrayList<Instruction>();
    char escape = '\\';
    var joined = new StringBuilder();
    int begin = -1;
    int stage = 0;
    String until = "";
    for (int at = 0; at < text.length() && found.size() < MOST; ) {
      int end = text.indexOf('\n', at);
      end = end < 0 ? text.length() : end;
      var line = text.substring(at, end).stripTrailing();
      var bare = line.strip();
      int from = at;
      at = end + 1;
      if (!until.isEmpty()) {
        joined.append('\n').append(line);
        if (!bare.equals(until)) {
          continue;
        }
        until = "";
      } else if (bare.startsWith("#") || (bare.isEmpty() && begin >= 0)) {
        if (found.isEmpty() && ESCAPE.matcher(bare).matches()) {
          escape = '`';
        }
        continue;
      } else if (bare.isEmpty()) {
        continue;
      } else {
        begin = begin < 0 ? from + line.indexOf(bare) : begin;
        if (bare.charAt(bare.length() - 1) == escape) {
          joined.append(bare, 0, bare.length() - 1).append(' ');
          if (at < text.length()) {
            continue;
          }
        } else {
          joined.append(bare);
        }
        var here = HERE.matcher(joined);
        if (here.find() && joined.toString().matches("(?is)(RUN|COPY|ADD)\\b.*")) {
          until = here.group(1);
          continue;
        }
      }
      var words = joined.toString().strip().split("\\s+", 2);
      var name = words[0].toUpperCase(Locale.ROOT);
      stage += name.equals("FROM") ? 1 : 0;
      found.add(new Instruction(name, words.length > 1 ? words[1] : "", stage, begin, end));
      joined.setLength(0);
      begin = -1;
    }
    return found;
  }
}
