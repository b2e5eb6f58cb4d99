package dev.flyball.publish;

import com.fasterxml.jackson.databind.node.NullNode;
import dev.flyball.call.Cost;
import dev.flyball.forge.FakeGitHub;
import dev.flyball.forge.FakeGitLab;
import dev.flyball.forge.Forge;
import dev.flyball.forge.Git;
import dev.flyball.review.finding.Category;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.DiffSide;
import dev.flyball.review.finding.Finding;
import dev.flyball.review.finding.Place;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.finding.ReviewUsage;
import dev.flyball.review.finding.Severity;
import dev.flyball.review.finding.SourceText;
import dev.flyball.review.finding.Verdict;
import dev.flyball.review.patch.FileChange;
import dev.flyball.review.patch.Patch;
import dev.flyball.review.report.StoredReview;
import dev.flyball.scheduler.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** A repository at a host of one kind, a pull request in it, and us with a token. */
final class Scene implements AutoCloseable {
  static final String REPOSITORY = "acme/shop";
  static final String TOKEN = "token-of-the-robot";
  static final long ROBOT = 7;

  final HostKind kind;
  final Forge forge;
  final Git git;
  final Map<String, String> environment = new HashMap<>();

  Scene(HostKind kind, Path folder) throws IOException {
    this.kind = kind;
    this.forge = kind == HostKind.GITHUB ? new FakeGitHub() : new FakeGitLab();
    forge.user(TOKEN, ROBOT, "robot", true);
    forge.user("token-of-a-person", 1, "person", true);
    var place = Files.createDirectories(folder.resolve("origin"));
    git = new Git(place);
    git.say("init", "-q", "-b", "main");
    forge.repository(REPOSITORY, place);
    environment.put(kind.variable(), TOKEN);
  }

  FakeGitHub gitHub() {
    return (FakeGitHub) forge;
  }

  FakeGitLab gitLab() {
    return (FakeGitLab) forge;
  }

  void put(String path, String text) throws IOException {
    var file = git.folder().resolve(path);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
  }

  String commit(String message) {
    git.say("add", "-A");
    git.say("commit", "-q", "--allow-empty", "-m", message);
    return git.say("rev-parse", "HEAD");
  }

  HostPlace place() {
    return HostPlace.of(kind, Optional.of(forge.site()), environment);
  }

  PullRequests door() {
    return PullRequests.at(place(), environment, Time.system(), Duration.ofSeconds(10));
  }

  PullRequestName name(int number) {
    return new PullRequestName(kind, REPOSITORY, number);
  }

  /** Bodies of comments beside the code, in the order in which they came. */
  List<String> comments(int number) {
    return kind == HostKind.GITHUB
        ? gitHub().threads(REPOSITORY, number).stream().map(FakeGitHub.ReviewThread::body).toList()
        : gitLab().notes(REPOSITORY, number).stream()
            .filter(FakeGitLab.Note::beside)
            .map(FakeGitLab.Note::body)
            .toList();
  }

  List<String> summaries(int number) {
    return kind == HostKind.GITHUB
        ? gitHub().reviews(REPOSITORY, number).stream()
            .map(FakeGitHub.Review::body)
            .filter(it -> it.startsWith("<!-- flyball:summary"))
            .toList()
        : gitLab().notes(REPOSITORY, number).stream()
            .filter(it -> !it.beside())
            .map(FakeGitLab.Note::body)
            .filter(it -> it.startsWith("<!-- flyball:summary"))
            .toList();
  }

  long resolved(int number) {
    return kind == HostKind.GITHUB
        ? gitHub().threads(REPOSITORY, number).stream()
            .filter(FakeGitHub.ReviewThread::resolved)
            .count()
        : gitLab().notes(REPOSITORY, number).stream().filter(FakeGitLab.Note::resolved).count();
  }

  /** The files of a change as the host tells it. */
  List<FileChange> changes(PullRequests door, PullRequest pull) throws Exception {
    return Patch.read(new ByteArrayInputStream(door.patch(pull))).files();
  }

  Function<Place.Lines, Optional<SourceText>> texts(PullRequest pull) {
    var known = new HashMap<String, Optional<SourceText>>();
    return place ->
        known.computeIfAbsent(
            place.side() + place.path(),
            key -> {
              var at =
                  (place.side() == DiffSide.LEFT ? pull.base() : pull.head()) + ":" + place.path();
              return git.agrees("cat-file", "-e", at)
                  ? Optional.of(
                      SourceText.of(
                          place.path(),
                          new String(git.bytes("cat-file", "blob", at), StandardCharsets.UTF_8)))
                  : Optional.empty();
            });
  }

  static Claim claim(Place place, Severity severity, String title, String message) {
    return new Claim(
        "correctness",
        place,
        severity,
        Category.CORRECTNESS,
        List.of("correctness"),
        title,
        message,
        Optional.empty(),
        Optional.empty(),
        List.of("a-model"),
        0.9);
  }

  /** A review that found these things, and asked everything. */
  static Review review(List<Finding> findings) {
    return review(findings, new ReviewCoverage(3, 3, List.of(), List.of()));
  }

  static Review review(List<Finding> findings, ReviewCoverage coverage) {
    return new Review(
        Verdict.of(findings, coverage),
        "sequential",
        coverage,
        findings,
        List.of(),
        Optional.of(
            new ReviewUsage(
                OptionalLong.empty(),
                1_000,
                ReviewUsage.Excess.NONE,
                List.of(),
                Cost.NOTHING,
                Duration.ofSeconds(3),
                Map.of("correctness", 1_000L),
                ReviewUsage.Ending.COMPLETION,
                1,
                0,
                0,
                0)));
  }

  StoredReview stored(String run, PullRequests door, PullRequest pull, Review review)
      throws Exception {
    var texts = texts(pull);
    var where = Discussion.of(pull, changes(door, pull), review, texts);
    return StoredReview.of(
        run,
        Instant.EPOCH,
        pull.name().toString(),
        review,
        NullNode.getInstance(),
        where.json(),
        texts);
  }

  List<Finding> identified(PullRequest pull, Claim... claims) {
    return Finding.identify(List.of(claims), texts(pull));
  }

  @Override
  public void close() {
    forge.close();
  }
}
