package dev.flyball.gateway.task;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.flyball.call.Account;
import dev.flyball.gateway.http.Caller;
import dev.flyball.history.record.HistoryUnavailable;
import dev.flyball.review.ask.AnswerJournal;
import dev.flyball.review.ask.ModelClient;
import dev.flyball.review.ask.Reviewer;
import dev.flyball.review.ask.UnitState;
import dev.flyball.review.check.CheckListener;
import dev.flyball.review.check.Rulebook;
import dev.flyball.review.check.StaticReview;
import dev.flyball.review.finding.Baseline;
import dev.flyball.review.finding.Claim;
import dev.flyball.review.finding.Gate;
import dev.flyball.review.finding.Review;
import dev.flyball.review.finding.ReviewCoverage;
import dev.flyball.review.lens.Lenses;
import dev.flyball.review.patch.PatchRefused;
import dev.flyball.review.plan.ReviewPlan;
import dev.flyball.review.plan.SubjectReading;
import dev.flyball.review.plan.Unit;
import dev.flyball.review.report.AnnotationReport;
import dev.flyball.review.report.JsonReport;
import dev.flyball.review.report.MarkdownReport;
import dev.flyball.review.report.SarifReport;
import dev.flyball.review.rule.RuleChoices;
import dev.flyball.review.run.ReviewEnd;
import dev.flyball.review.run.ReviewListener;
import dev.flyball.review.run.ReviewProgress;
import dev.flyball.review.run.ReviewRun;
import dev.flyball.review.run.ReviewSettings;
import dev.flyball.review.run.ReviewSetup;
import dev.flyball.review.run.ReviewState;
import dev.flyball.review.run.SharedScheduler;
import dev.flyball.review.run.UnaskedReview;
import dev.flyball.review.select.Subject;
import dev.flyball.review.source.SourceUnavailable;
import dev.flyball.run.BadSettings;
import dev.flyball.run.RunBounds;
import dev.flyball.run.RunSetup;
import dev.flyball.run.file.StateFolder;
import dev.flyball.scheduler.Flyball;
import dev.flyball.scheduler.SchedulerSnapshot;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The reviews themselves: read, checked, planned and asked in the scheduler that all of the gateway
 * shares, each on a virtual thread whose interrupt ends it. What was answered is in the journal of
 * the caller's review of that subject, where the same request finds it.
 *
 * <p>Long because every way in which a review can end is put into our words here.
 */
final class ReviewWork implements TaskWork {
  private static final Account REVIEWS = Account.of("reviews");
  private static final int THREADS = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RunSetup run;
  private final Flyball flyball;
  private final RuleChoices rules;
  private final String version;
  private final Path nowhere;
  private final Tasks.Trouble trouble;

  ReviewWork(
      RunSetup run, Flyball flyball, RuleChoices rules, String version, Tasks.Trouble trouble) {
    this.run = run;
    this.flyball = flyball;
    this.rules = rules;
    this.version = version;
    this.trouble = trouble;
    this.nowhere = nowhere(run.environment());
  }

  /**
   * An empty folder that patches are for which come without a repository: always the same one, so
   * that their answers are found again.
   */
  private static Path nowhere(Map<String, String> environment) {
    try {
      var state = StateFolder.of(environment).path();
      var beside = state.resolveSibling(state.getFileName() + "-patches");
      StateFolder.at(beside).made("lock");
      var folder = beside.resolve("patches");
      Files.createDirectories(folder);
      ReviewState.of(environment, folder);
      return folder.toRealPath();
    } catch (IOException unusable) {
      throw new BadSettings("reviews: no folder for patches: " + unusable.getMessage());
    }
  }

  @Override
  public Work begin(String taskId, TaskDetails details, Caller caller, Listener listener) {
    var cancelled = new AtomicBoolean();
    var thread =
        Thread.ofVirtual()
            .name("review-" + taskId)
            .start(
                () ->
                    listener.ended(new Errand(taskId, details, caller, listener, cancelled).run()));
    return () -> {
      cancelled.set(true);
      thread.interrupt();
    };
  }

  /** The thread was told to end, perhaps where nothing hears an interrupt. */
  private static final class Cancelled extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** One review. */
  private final class Errand implements ReviewListener {
    private final String taskId;
    private final TaskDetails details;
    private final Caller caller;
    private final Listener listener;
    private final AtomicBoolean cancelled;
    private final AtomicLong over = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private int total;
    private TaskError.Phase phase = TaskError.Phase.SETUP;

    Errand(
        String taskId,
        TaskDetails details,
        Caller caller,
        Listener listener,
        AtomicBoolean cancelled) {
      this.taskId = taskId;
      this.details = details;
      this.caller = caller;
      this.listener = listener;
      this.cancelled = cancelled;
    }

    /** Every way in which it can end, in words of our own. */
    Ending run() {
      try (var subject = subject()) {
        return review(subject);
      } catch (PatchRefused wrong) {
        return failed(
            TaskCode.INVALID_PATCH,
            Optional.of("Line %d: %s.".formatted(wrong.line(), wrong.rule().text())));
      } catch (SourceUnavailable unreadable) {
        return failed(code(unreadable.reason()), Optional.empty());
      } catch (Lenses.Unknown unknown) {
        return failed(TaskCode.UNKNOWN_LENS, Optional.empty());
      } catch (TaskCode.Refused refused) {
        return failed(refused.code(), refused.detail());
      } catch (Baseline.Damaged damaged) {
        return failed(TaskCode.UNREADABLE_SUBJECT, Optional.empty());
      } catch (AnswerJournal.Taken taken) {
        return failed(TaskCode.TASK_ALREADY_RUNNING, Optional.empty());
      } catch (InterruptedException | Cancelled stopped) {
        return failed(TaskCode.CANCELLED, Optional.empty());
      } catch (IOException | HistoryUnavailable | RuntimeException | Error broken) {
        if (!cancelled.get()) {
          trouble.log(taskId, broken);
        }
        return failed(TaskCode.INTERNAL_ERROR, Optional.empty());
      }
    }

    private Ending failed(TaskCode code, Optional<String> detail) {
      return new Failed(code, phase, detail);
    }

    private static TaskCode code(SourceUnavailable.Reason reason) {
      return switch (reason) {
        case NOT_A_REPOSITORY, NOT_TRUSTED -> TaskCode.UNKNOWN_REPOSITORY;
        case UNKNOWN_REVISION, NO_COMMON_COMMIT, SHALLOW -> TaskCode.UNKNOWN_REVISION;
        case TOO_LARGE -> TaskCode.SUBJECT_TOO_LARGE;
        case GIT_MISSING, TIMED_OUT, FAILED -> TaskCode.UNREADABLE_SUBJECT;
      };
    }

    private Subject subject()
        throws SourceUnavailable, IOException, PatchRefused, TaskCode.Refused {
      if (details.patch().isPresent()) {
        var text = details.patch().get().getBytes(StandardCharsets.UTF_8);
        return Subject.patch(
            details.title(), new ByteArrayInputStream(text), details.folder().orElse(nowhere));
      }
      var folder = details.folder().orElseThrow();
      var subject = Subject.range(folder, details.range().orElseThrow());
      if (!NamedFolders.holds(folder, subject.root())) {
        subject.close();
        throw new TaskCode.Refused(TaskCode.UNKNOWN_REPOSITORY);
      }
      return subject;
    }

    private void goOn() throws Cancelled {
      if (cancelled.get()) {
        throw new Cancelled();
      }
    }

    private Ending review(Subject subject)
        throws SourceUnavailable,
            IOException,
            InterruptedException,
            HistoryUnavailable,
            Baseline.Damaged,
            TaskCode.Refused,
            Cancelled {
      ReviewState.of(run.environment(), subject.root());
      var setup = ReviewSetup.of(run, subject, settings());
      if (!setup.reviewers().values().stream().map(Reviewer::model).allMatch(caller.models())) {
        throw new TaskCode.Refused(TaskCode.MODEL_NOT_ALLOWED);
      }
      goOn();
      var looked = StaticReview.on(subject, rules, THREADS, CheckListener.NONE);
      goOn();
      var plan = setup.plan(SubjectReading.Progress.NONE);
      goOn();
      var baseline = UnaskedReview.baseline(subject);
      phase = TaskError.Phase.EXECUTION;
      total = plan.units().size() + plan.beyond().size();
      listener.event(TaskEvent.start(taskId, start(subject, setup, plan)));
      looked.claims().forEach(claim -> listener.event(TaskEvent.finding(taskId, claim)));
      var started = run.time().wall();
      var asked = ReviewRun.in(shared(), setup, plan);
      var ended = asked.run(looked, baseline, this);
      var review = inOurWords(ended);
      var none = nothingAnswered(ended);
      ended.remember(
          subject, plan.budget(), Optional.empty(), started, ended.exit(Gate.NONE, false));
      if (none.isPresent()) {
        return failed(none.get(), Optional.empty());
      }
      return new Completed(TaskEvent.complete(taskId, result(ended, review)));
    }

    private ReviewSettings settings() {
      var bounds =
          new RunBounds(
              RunBounds.USUAL.concurrency(),
              RunBounds.USUAL.tuning(),
              RunBounds.USUAL.maxWait(),
              Optional.empty(),
              details.tokens(),
              details.money(),
              RunBounds.USUAL.reserve());
      var usual = ReviewSettings.usual();
      return new ReviewSettings(
          usual.models(),
          details.lenses(),
          usual.mode(),
          bounds,
          usual.reserve(),
          usual.samples(),
          usual.deliberate(),
          usual.verify(),
          usual.tests(),
          usual.purpose());
    }

    private SharedScheduler shared() {
      var payer = caller.account().orElse(REVIEWS).part("review " + taskId);
      return new SharedScheduler(
          flyball, caller.tenant(), payer, details.key(caller.tenant().name()));
    }

    private ObjectNode start(Subject subject, ReviewSetup setup, ReviewPlan plan) {
      var node = JsonNodeFactory.instance.objectNode();
      node.put("title", subject.title());
      node.put("mode", plan.scope().modeName());
      node.put("files", plan.scope().files());
      node.put("units", total);
      var models = node.putArray("models");
      setup.reviewers().values().stream()
          .map(Reviewer::model)
          .distinct()
          .sorted()
          .forEach(models::add);
      plan.budget()
          .ifPresentOrElse(
              tokens -> node.put("budgetTokens", tokens), () -> node.putNull("budgetTokens"));
      return node;
    }

    @Override
    public void look(ReviewProgress progress, SchedulerSnapshot lanes, Optional<String> kept) {
      // Each unit is told by itself.
    }

    @Override
    public void unit(Unit unit, UnitState state) {
      long ended =
          switch (state) {
            case PENDING, RUNNING -> over.get();
            case DONE, CACHED -> {
              answered.incrementAndGet();
              yield over.incrementAndGet();
            }
            case ERROR -> over.incrementAndGet();
          };
      if (state != UnitState.PENDING) {
        listener.event(TaskEvent.unit(taskId, unit, state, ended, total));
      }
    }

    @Override
    public void found(Unit unit, List<Claim> claims) {
      claims.forEach(claim -> listener.event(TaskEvent.finding(taskId, claim)));
    }

    /** Why there is no result at all, if there is none. */
    private Optional<TaskCode> nothingAnswered(ReviewEnd ended) {
      if (answered.get() > 0 || ended.answers().unanswered().isEmpty()) {
        return Optional.empty();
      }
      if (ended.turnedAway()) {
        return Optional.of(TaskCode.PROVIDER_REFUSED);
      }
      var causes =
          ended.answers().unanswered().stream().map(each -> each.cause()).distinct().toList();
      if (ended.unreachable() || causes.contains(ModelClient.Cause.PROVIDER)) {
        return Optional.of(TaskCode.PROVIDER_UNAVAILABLE);
      }
      if (causes.contains(ModelClient.Cause.STOPPED)) {
        return Optional.of(TaskCode.DRAINING);
      }
      return causes.contains(ModelClient.Cause.BUDGET)
          ? Optional.of(TaskCode.BUDGET_SPENT)
          : Optional.empty();
    }

    private ObjectNode result(ReviewEnd ended, Review review) throws IOException {
      var node = JsonNodeFactory.instance.objectNode();
      node.put("verdict", review.verdict().toString());
      node.put("ending", ended.usage().ending().toString());
      node.put("findings", review.findings().stream().filter(each -> each.counts()).count());
      node.put("unanswered", review.coverage().unanswered().size());
      node.put("cachedUnits", ended.answers().cached());
      node.put("tokens", ended.usage().tokens());
      node.put("costUsd", ended.usage().cost().decimal());
      var reports = node.putObject("reports");
      for (var format : TaskDetails.ReportFormat.values()) {
        if (details.formats().contains(format)) {
          switch (format) {
            case JSON ->
                reports.set("json", JSON.readTree(JsonReport.of(review, NullNode.getInstance())));
            case SARIF ->
                reports.set(
                    "sarif",
                    JSON.readTree(
                        SarifReport.of(
                            review, new SarifReport.Tool(version, List.of(), Rulebook.rules()))));
            case MARKDOWN -> reports.put("markdown", MarkdownReport.all(review));
            case ANNOTATIONS -> reports.put("annotations", AnnotationReport.all(review));
          }
        }
      }
      return node;
    }

    /** What a provider or a library said about what is missing stays here. */
    private static Review inOurWords(ReviewEnd ended) {
      var ours = new HashMap<String, String>();
      for (var each : ended.answers().unanswered()) {
        for (var what : each.what()) {
          var about = each.unit().part() + ": " + what + " (";
          ours.put(about + each.why() + ")", about + words(each.cause()) + ")");
        }
      }
      var review = ended.review();
      var coverage = review.coverage();
      var unanswered = new ArrayList<String>();
      coverage.unanswered().forEach(each -> unanswered.add(ours.getOrDefault(each, each)));
      return new Review(
          review.verdict(),
          review.mode(),
          new ReviewCoverage(
              coverage.files(),
              coverage.reviewed(),
              coverage.skipped(),
              unanswered,
              coverage.copiesOnly(),
              coverage.depths()),
          review.findings(),
          review.contradictions(),
          review.usage());
    }

    private static String words(ModelClient.Cause cause) {
      return switch (cause) {
        case BUDGET -> "no room in the budget";
        case STOPPED -> "ended before it was asked";
        case PROVIDER -> "the provider gave no answer";
        case MODEL -> "what the model said was no answer";
      };
    }
  }
}
