package dev.flyball.llm.reply;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One item of a structured header field, {@code "burst";q=100;w=60}, with quotes taken off. Of RFC
 * 9651 only as much as limits are written with; a member of a dictionary is an item whose value is
 * also its parameter.
 */
record FieldItem(String value, Map<String, String> parameters) {
  private static final int LONGEST = 2_000;

  /** The items of a list; what is too long to be honest has none. */
  static List<FieldItem> list(String field) {
    var items = new ArrayList<FieldItem>();
    if (field.length() <= LONGEST) {
      for (var text : split(field, ',')) {
        var pieces = split(text, ';');
        var parameters = new LinkedHashMap<String, String>();
        for (var piece : pieces) {
          int equals = piece.indexOf('=');
          if (equals > 0 && piece.charAt(0) != '"') {
            var name = piece.substring(0, equals).strip();
            parameters.putIfAbsent(name, unquoted(piece.substring(equals + 1).strip()));
          }
        }
        items.add(new FieldItem(unquoted(pieces.getFirst()), parameters));
      }
    }
    return items;
  }

  private static String unquoted(String text) {
    return text.replace("\"", "");
  }

  private static List<String> split(String text, char separator) {
    var pieces = new ArrayList<String>();
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      if (c == separator && !quoted) {
        pieces.add(text.substring(start, i).strip());
        start = i + 1;
      }
    }
    pieces.add(text.substring(start).strip());
    return pieces;
  }
}
