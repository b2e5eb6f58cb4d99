package dev.flyball.cli.queue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.flyball.batch.LineAsker;
import dev.flyball.fleet.queue.ClaimedEntry;
import dev.flyball.fleet.queue.EntryEnd;
import dev.flyball.fleet.queue.EntryWork;
import dev.flyball.fleet.queue.ResultFile;
import dev.flyball.publish.HostKind;
import dev.flyball.publish.HostPlace;
import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.PullRequestName;
import dev.flyball.publish.PullRequestWorker;
import dev.flyball.publish.PullRequests;
import dev.flyball.review.finding.AsciiJson;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.report.JsonReport;
import dev.flyball.review.report.StoredReview;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.run.ReviewListener;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.UnattendedReview;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.BadSettings;
import dev.flyball.run.ExitCode;
import dev.flyball.run.RunSetup;
import dev.flyball.run.work.WorkScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Does what a queue has: asks a line, reviews a folder, a change or a pull request, and puts the
 * result where it was said to go.
 *
 * <p>What a queue says is not trusted with everything: files are only read and written below the
 * folders that this worker was given, and a token goes to no other host than the one that it is
 * for.
 */
public final class QueueDesk implements EntryWork, AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);
  private static final int LONGEST_DOUBLING = 6;

  private final RunSetup run;
  private final WorkScheduler scheduler;
  private final LineAsker asker;
  private final ReviewSettings settings;
  private final RuleChoices rules;
  private final List<Path> roots;
  private final Function<HostKind, HostPlace> places;
  private final Consumer<String> closed;
  private final Map<Path, ResultFile> files = new ConcurrentHashMap<>();
  private final Map<HostKind, PullRequests> doors = new ConcurrentHashMap<>();

  /**
   * A desk.
   *
   * @param roots the folders that may be read and written
   * @param places where each host is, with the token for it
   * @param closed is told when nothing can be done any more, and why
   */
  public QueueDesk(
      RunSetup run,
      WorkScheduler scheduler,
      LineAsker asker,
      ReviewSettings settings,
      RuleChoices rules,
      List<Path> roots,
      Function<HostKind, HostPlace> places,
      Consumer<String> closed) {
    this.run = run;
    this.scheduler = scheduler;
    this.asker = asker;
    this.settings = settings;
    this.rules = rules;
    this.roots = roots;
    this.places = places;
    this.closed = closed;
  }

  /** It may not be read or written here. */
  private static final class Outside extends Exception {
    private static final long serialVersionUID = 1;

    Outside(String message) {
      super(message);
    }
  }

  @Override
  public EntryEnd work(ClaimedEntry entry, Claim claim) throws InterruptedException {
    try {
      return switch (QueuedWork.read(entry.kind(), entry.payload())) {
        case QueuedWork.Line line -> line(entry, claim, line);
        case QueuedWork.Review review -> review(entry, claim, review);
        case QueuedWork.Pull pull -> pull(entry, claim, pull);
      };
    } catch (BadSettings wrong) {
      return close(String.valueOf(wrong.getMessage()));
    } catch (Outside | PatchRefused | Baseline.Damaged | IllegalArgumentException never) {
      return new EntryEnd.Hopeless(String.valueOf(never.getMessage()));
    } catch (SourceUnavailable | IOException failed) {
      return later(entry, String.valueOf(failed.getMessage()));
    }
  }

  private static EntryEnd later(ClaimedEntry entry, String why) {
    int doublings = Math.min(entry.tries() - 1, LONGEST_DOUBLING);
    return new EntryEnd.TryLater(why, FIRST_PAUSE.multipliedBy(1L << doublings));
  }

  private EntryEnd close(String why) {
    closed.accept(why);
    return new EntryEnd.GivenBack();
  }

  private EntryEnd line(ClaimedEntry entry, Claim claim, QueuedWork.Line work)
      throws InterruptedException, IOException, Outside {
    var output = inside(entry.output());
    return switch (asker.ask(work.line())) {
      case LineAsker.Answered(var id, var line) -> recorded(output, entry, claim, id, line);
      case LineAsker.Unanswerable(var why) -> new EntryEnd.Hopeless(why);
      case LineAsker.NotNow(var why, var pause) ->
          pause
              .<EntryEnd>map(left -> new EntryEnd.TryLater(why, left))
              .orElseGet(() -> later(entry, why));
      case LineAsker.Closed(var why, var byLine) -> {
        closed.accept(why);
        // What everybody is held up by is not first again.
        yield byLine ? later(entry, why) : new EntryEnd.GivenBack();
      }
    };
  }

  private EntryEnd recorded(
      Path output, ClaimedEntry entry, Claim claim, String identity, byte[] line)
      throws InterruptedException, IOException {
    var file = files.computeIfAbsent(output, ResultFile::new);
    return switch (file.append(entry, claim, identity, line)) {
      case NOW, BEFORE -> new EntryEnd.Finished();
      case NOT_OURS -> new EntryEnd.GivenBack();
    };
  }

  private EntryEnd review(ClaimedEntry entry, Claim claim, QueuedWork.Review work)
      throws InterruptedException,
          IOException,
          Outside,
          PatchRefused,
          SourceUnavailable,
          Baseline.Damaged {
    var output =
        entry.output().isEmpty() ? Optional.<Path>empty() : Optional.of(inside(entry.output()));
    var folder = inside(work.folder());
    if (!Files.isDirectory(folder)) {
      throw new Outside("there is no folder " + folder);
    }
    try (var subject = subject(folder, work)) {
      if (!isInside(subject.root())) {
        throw new Outside(folder + " is in a repository outside of what this worker may read");
      }
      var review =
          UnattendedReview.of(
              run,
              Optional.of(scheduler),
              subject,
              settings,
              rules,
              Gate.NONE,
              Optional.empty(),
              UnattendedReview.NOWHERE,
              ReviewListener.NOBODY);
      return reviewed(output, entry, claim, review.stored(), review.exit());
    }
  }

  private static Subject subject(Path folder, QueuedWork.Review work)
      throws SourceUnavailable, IOException, PatchRefused {
    if (work.patch().isPresent()) {
      var text = work.patch().get().getBytes(StandardCharsets.UTF_8);
      return Subject.patch("patch", new ByteArrayInputStream(text), folder);
    }
    return work.range().isPresent()
        ? Subject.range(folder, ChangeRange.of(work.range().get()))
        : Subject.folder(folder);
  }

  /** A review that is not whole is tried again: what was answered is not asked again. */
  private EntryEnd reviewed(
      Optional<Path> output, ClaimedEntry entry, Claim claim, StoredReview stored, ExitCode exit)
      throws InterruptedException, IOException {
    return switch (exit) {
      case INCOMPLETE, UNREACHABLE, ABORTED, REFUSED ->
          later(entry, "run %s: %s".formatted(stored.run(), stored.review().verdict().words()));
      case DONE, FAILED -> {
        if (output.isEmpty()) {
          yield new EntryEnd.Finished();
        }
        var line =
            JsonNodeFactory.instance
                .objectNode()
                .put(ResultFile.IDENTITY, entry.key())
                .put("run", stored.run())
                .put("title", stored.title())
                .put("verdict", stored.review().verdict().toString());
        line.set("report", JSON.readTree(JsonReport.of(stored.review())));
        yield recorded(
            output.get(),
            entry,
            claim,
            entry.key(),
            (AsciiJson.compact(line) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    };
  }

  private EntryEnd pull(ClaimedEntry entry, Claim claim, QueuedWork.Pull work)
      throws InterruptedException, IOException, Outside, SourceUnavailable, Baseline.Damaged {
    var place = places.apply(work.host());
    if (!place.site().toString().equals(work.site())) {
      throw new Outside(
          "it is at %s, and this worker is for %s: start one with --host-url"
              .formatted(work.site(), place.site()));
    }
    var output =
        entry.output().isEmpty() ? Optional.<Path>empty() : Optional.of(inside(entry.output()));
    var door =
        doors.computeIfAbsent(work.host(), kind -> PullRequests.at(place, run.environment()));
    var worker =
        new PullRequestWorker(door, run, settings, rules, Gate.NONE, roots.getFirst())
            .in(scheduler)
            .withDrafts(work.drafts());
    try {
      var name = PullRequestName.of(work.host(), work.name());
      if (!claim.holds()) {
        return new EntryEnd.GivenBack();
      }
      return switch (worker.work(name, work.approve(), ReviewListener.NOBODY)) {
        case PullRequestWorker.LeftAlone alone -> new EntryEnd.Finished();
        case PullRequestWorker.Reviewed(var stored, var exit, var posting, var trouble) ->
            trouble.isPresent()
                ? trouble(entry, trouble.get())
                : reviewed(output, entry, claim, stored, exit);
      };
    } catch (HostTrouble trouble) {
      return trouble(entry, trouble);
    }
  }

  private EntryEnd trouble(ClaimedEntry entry, HostTrouble trouble) {
    var why = String.valueOf(trouble.getMessage());
    return switch (trouble.reason()) {
      case NO_TOKEN, REFUSED -> close(why);
      case READ_ONLY, NOT_FOUND, CLOSED, TOO_LARGE, INVALID -> new EntryEnd.Hopeless(why);
      case UNREACHABLE, LIMITED, UNCERTAIN -> later(entry, why);
    };
  }

  private Path inside(String name) throws Outside {
    var path = Path.of(name).toAbsolutePath().normalize();
    if (!isInside(path)) {
      throw new Outside(
          "%s is not below %s: start the worker there, or with --allow FOLDER"
              .formatted(path, roots.getFirst()));
    }
    return path;
  }

  /** Also where a link in its way leads. */
  private boolean isInside(Path path) {
    var there = path;
    while (there != null && Files.notExists(there)) {
      there = there.getParent();
    }
    try {
      var real = there == null ? path : there.toRealPath();
      for (var root : roots) {
        if (path.startsWith(root) && real.startsWith(root.toRealPath())) {
          return true;
        }
      }
      return false;
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void close() {
    files.values().forEach(ResultFile::close);
    doors.values().forEach(PullRequests::close);
  }
}
