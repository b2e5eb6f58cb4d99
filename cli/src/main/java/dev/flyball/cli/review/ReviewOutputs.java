package dev.flyball.cli.review;

import dev.flyball.cli.screen.InertWriter;
import dev.flyball.cli.screen.PlanPage;
import dev.flyball.cli.screen.Terminal;
import dev.flyball.cli.screen.Version;
import dev.flyball.review.check.Rulebook;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.report.AnnotationReport;
import dev.flyball.review.report.CheckstyleReport;
import dev.flyball.review.report.CodeQualityReport;
import dev.flyball.review.report.DiagnosticReport;
import dev.flyball.review.report.HtmlReport;
import dev.flyball.review.report.JUnitReport;
import dev.flyball.review.report.JsonReport;
import dev.flyball.review.report.MarkdownReport;
import dev.flyball.review.report.SarifReport;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.report.TerminalReport;
import dev.flyball.review.run.PlanForecast;
import dev.flyball.review.run.PlanJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The files and the screen that a review is written to, each in its format.
 *
 * @param screen what standard output gets
 */
public record ReviewOutputs(Format screen, List<Target> files) {
  /** The formats, as help tells them. */
  public static final String NAMES =
      "terminal, markdown, json, sarif, annotations, html, codequality, rdjson, rdjsonl, junit or"
          + " checkstyle; NAME=FILE may be repeated.";

  private static final int SHOWN = 20;

  /** How a review can be written. */
  public enum Format {
    TERMINAL,
    MARKDOWN,
    JSON,
    SARIF,
    ANNOTATIONS,
    /** A page that needs nothing else. */
    HTML,
    /** GitLab's. */
    CODEQUALITY,
    /** Reviewdog's. */
    RDJSON,
    RDJSONL,
    JUNIT,
    CHECKSTYLE;

    public static Format of(String word) {
      return Arrays.stream(values())
          .filter(each -> each.toString().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "--format: a review is written as "
                          + Arrays.stream(values())
                              .map(Format::toString)
                              .collect(Collectors.joining(", "))
                          + ", not as "
                          + word));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A file in some format. */
  record Target(Format format, Path file) {}

  /** Reads {@code --format NAME}, {@code --format NAME=FILE} and {@code -o FILE}. */
  public static ReviewOutputs of(List<String> formats, Optional<String> output, Path folder) {
    var files = new ArrayList<Target>();
    var bare = new ArrayList<Format>();
    for (var each : formats) {
      int sign = each.indexOf('=');
      if (sign < 0) {
        bare.add(Format.of(each));
      } else if (sign == each.length() - 1) {
        throw new IllegalArgumentException("--format: name a file after " + each);
      } else {
        files.add(
            new Target(
                Format.of(each.substring(0, sign)), folder.resolve(each.substring(sign + 1))));
      }
    }
    if (bare.size() > 1) {
      throw new IllegalArgumentException(
          "--format: only one format can go to the screen; write the others as NAME=FILE");
    }
    if (output.isEmpty()) {
      return new ReviewOutputs(bare.isEmpty() ? Format.TERMINAL : bare.getFirst(), files);
    }
    var file = folder.resolve(output.get());
    files.add(new Target(bare.isEmpty() ? ofName(file) : bare.getFirst(), file));
    return new ReviewOutputs(Format.TERMINAL, files);
  }

  private static Format ofName(Path file) {
    var name = String.valueOf(file.getFileName());
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "json" -> Format.JSON;
      case "sarif" -> Format.SARIF;
      case "md" -> Format.MARKDOWN;
      case "html", "htm" -> Format.HTML;
      case "rdjson" -> Format.RDJSON;
      case "rdjsonl" -> Format.RDJSONL;
      default ->
          throw new IllegalArgumentException(
              "-o: choose with --format how " + name + " is to be written");
    };
  }

  /** Whether any of them is for programs, which are told the plan too. */
  public boolean hasJson() {
    return screen == Format.JSON || files.stream().anyMatch(target -> target.format == Format.JSON);
  }

  /** Writes the files, then the screen. */
  public void write(
      StoredReview stored,
      Gate gate,
      Function<Place.Lines, Optional<SourceText>> texts,
      PrintWriter out,
      Terminal terminal)
      throws IOException {
    for (var target : files) {
      var parent = target.file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(target.file, text(target.format, stored, gate, texts, terminal, false));
    }
    var shown = text(screen, stored, gate, texts, terminal, true);
    out.print(screen == Format.ANNOTATIONS ? commands(shown) : shown);
    out.flush();
  }

  private static String commands(String lines) {
    return lines
        .lines()
        .map(line -> InertWriter.command(line) + "\n")
        .collect(Collectors.joining());
  }

  /** The same of a plan, which programs read as JSON and people on a screen. */
  public void write(PlanForecast forecast, String pricesVersion, PrintWriter out, Terminal terminal)
      throws IOException {
    for (var target : files) {
      if (target.format != Format.JSON) {
        throw new IllegalArgumentException(
            "--format: a plan is written to a file as json, not as " + target.format);
      }
      Files.writeString(target.file, AsciiJson.pretty(PlanJson.of(forecast, pricesVersion)) + "\n");
    }
    switch (screen) {
      case TERMINAL -> new PlanPage(terminal).lines(forecast, pricesVersion).forEach(out::println);
      case JSON -> out.println(AsciiJson.pretty(PlanJson.of(forecast, pricesVersion)));
      case MARKDOWN, SARIF, ANNOTATIONS, HTML, CODEQUALITY, RDJSON, RDJSONL, JUNIT, CHECKSTYLE ->
          throw new IllegalArgumentException(
              "--format: a plan is shown on a terminal or as json, not as " + screen);
    }
    out.flush();
  }

  private static String text(
      Format format,
      StoredReview stored,
      Gate gate,
      Function<Place.Lines, Optional<SourceText>> texts,
      Terminal terminal,
      boolean live) {
    var review = stored.review();
    return switch (format) {
      case TERMINAL ->
          TerminalReport.of(
              review,
              texts,
              live
                  ? new TerminalReport.Look(
                      terminal.width(), SHOWN, role -> text -> paint(terminal, role, text))
                  : TerminalReport.Look.plain(terminal.width()));
      case MARKDOWN -> live ? MarkdownReport.of(review) : MarkdownReport.all(review);
      case JSON -> JsonReport.of(review, stored.plan());
      case SARIF ->
          SarifReport.of(
              review, new SarifReport.Tool(Version.number(), List.of(), Rulebook.rules()));
      case ANNOTATIONS -> live ? AnnotationReport.of(review) : AnnotationReport.all(review);
      case HTML -> HtmlReport.of(review, stored.title(), "Flyball " + Version.number(), texts);
      case CODEQUALITY -> CodeQualityReport.of(review);
      case RDJSON -> DiagnosticReport.whole(review, texts);
      case RDJSONL -> DiagnosticReport.lines(review, texts);
      case JUNIT -> JUnitReport.of(review, gate, stored.made());
      case CHECKSTYLE -> CheckstyleReport.of(review);
    };
  }

  private static String paint(Terminal terminal, TerminalReport.Role role, String text) {
    return switch (role) {
      case CRITICAL -> terminal.paint(Terminal.Colour.RED, text);
      case MAJOR, MARK -> terminal.paint(Terminal.Colour.MAGENTA, text);
      case MINOR, PLACE -> terminal.paint(Terminal.Colour.CYAN, text);
      case TITLE -> terminal.paint(Terminal.Colour.BOLD, text);
      case ADVICE -> terminal.paint(Terminal.Colour.GREEN, text);
      case GUTTER, ASIDE -> terminal.paint(Terminal.Colour.DIM, text);
      case CODE -> text;
    };
  }
}
