package dev.flyball.review.report;

/** Text as it stands in XML 1.0: escaped, and without the characters that it forbids. */
final class XmlText {
  private XmlText() {}

  /** In an attribute or between tags; line ends in an attribute stay what they are. */
  static String of(String text) {
    var safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            it -> {
              switch (it) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                case '\n' -> safe.append("&#10;");
                case '\t' -> safe.append("&#9;");
                case '\r' -> safe.append("&#13;");
                default -> {
                  boolean allowed =
                      it >= 0x20 && !(it >= 0xD800 && it <= 0xDFFF) && it != 0xFFFE && it != 0xFFFF;
                  safe.appendCodePoint(allowed ? it : 0xFFFD);
                }
              }
            });
    return safe.toString();
  }
}
