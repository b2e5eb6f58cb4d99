package dev.flyball.publish;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The hidden first line of what we post, by which it is known again. It counts only as the first
 * line, and only in what we have written ourselves: everything else may be a stranger's.
 *
 * @param finding the id of the finding that a comment is about; empty in the summary
 * @param head the commit that was reviewed
 * @param complete whether everything that was asked has an answer
 */
public record Marker(Optional<String> finding, String head, String run, boolean complete) {
  private static final int VERSION = 1;
  private static final Pattern FORM =
      Pattern.compile(
          "\\A<!-- flyball:(finding|summary) v(\\d{1,3})(?: id=([0-9a-f]{1,64}))?"
              + " head=([0-9a-f]{40,64}) run=([A-Za-z0-9-]{0,64}) complete=(yes|no) -->");

  /** The marker of a comment about a finding. */
  static Marker of(String finding, String head, String run) {
    return new Marker(Optional.of(finding), head, run, true);
  }

  static Marker ofSummary(String head, String run, boolean complete) {
    return new Marker(Optional.empty(), head, run, complete);
  }

  /** Reads that of a text of ours, if it has one that this version knows. */
  static Optional<Marker> in(String body) {
    var found = FORM.matcher(body);
    if (!found.find() || !found.group(2).equals(Integer.toString(VERSION))) {
      return Optional.empty();
    }
    boolean comment = found.group(1).equals("finding");
    return comment == (found.group(3) != null)
        ? Optional.of(
            new Marker(
                Optional.ofNullable(found.group(3)),
                found.group(4),
                found.group(5),
                found.group(6).equals("yes")))
        : Optional.empty();
  }

  /** A text with it. */
  String before(String body) {
    return "<!-- flyball:%s v%d%s head=%s run=%s complete=%s -->\n%s"
        .formatted(
            finding.isPresent() ? "finding" : "summary",
            VERSION,
            finding.map(id -> " id=" + id).orElse(""),
            head,
            run,
            complete ? "yes" : "no",
            body);
  }
}
