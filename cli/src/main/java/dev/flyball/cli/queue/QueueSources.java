package dev.flyball.cli.queue;

import dev.flyball.batch.LoneLine;
import dev.flyball.cli.option.QueueAddOptions;
import dev.flyball.fleet.queue.NewEntry;
import dev.flyball.llm.Sha256;
import dev.flyball.publish.HostKind;
import dev.flyball.publish.HostTrouble;
import dev.flyball.publish.OpenPullRequest;
import dev.flyball.publish.PullRequestName;
import dev.flyball.publish.PullRequests;
import dev.flyball.review.source.ChangeRange;
import dev.flyball.run.BadInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sources of work for a queue: files of lines, folders, changes, patches, pull requests. */
public final class QueueSources {
  private static final int DIGEST_BYTES = 16;
  private static final int SHORT = 12;

  private final QueueAddOptions options;
  private final Path here;
  private final Map<String, String> environment;
  private final Optional<String> model;

  /** As somebody has said in a folder. */
  public QueueSources(
      QueueAddOptions options, Path here, Map<String, String> environment, Optional<String> model) {
    this.options = options;
    this.here = here.toAbsolutePath().normalize();
    this.environment = environment;
    this.model = model;
  }

  /**
   * What is to be added.
   *
   * @param what files of lines and folders
   * @param known what was reviewed without being posted
   * @throws BadInput if something must be put right first; nothing is added then
   */
  public List<NewEntry> entries(List<String> what, PullRequests.Known known)
      throws IOException, BadInput, HostTrouble, InterruptedException {
    var host = options.host();
    if (host.isPresent()) {
      if (!what.isEmpty() || options.diff().isPresent() || options.patch().isPresent()) {
        throw options.wrong("a pull request, and a folder or a file: add one after the other");
      }
      return pulls(host.get(), known);
    }
    if (options.open() || options.drafts() || options.approve()) {
      throw options.wrong("--open, --drafts and --approve are about pull requests: name a host");
    }
    if (options.diff().isPresent() || options.patch().isPresent()) {
      if (what.size() > 1 || (options.diff().isPresent() && options.patch().isPresent())) {
        throw options.wrong("--diff and --patch are of one folder, and one of them at a time");
      }
      return List.of(change(folder(what.isEmpty() ? "." : what.getFirst())));
    }
    if (what.isEmpty()) {
      throw options.wrong(
          "name what to add: IN.jsonl, a folder, --diff RANGE, --patch FILE or --github"
              + " OWNER/REPO --open");
    }
    var entries = new ArrayList<NewEntry>();
    for (var each : what) {
      var path = here.resolve(each).normalize();
      if (Files.isDirectory(path)) {
        if (!options.yes()) {
          throw options.wrong(
              "%s is a whole folder, which may cost much: `flyball review %s --plan` says how much,"
                      .formatted(each, each)
                  + " --yes adds it");
        }
        entries.add(
            review(new QueuedWork.Review(path.toString(), Optional.empty(), Optional.empty())));
      } else {
        entries.addAll(lines(path));
      }
    }
    return entries;
  }

  private Path folder(String name) {
    var folder = here.resolve(name).normalize();
    if (!Files.isDirectory(folder)) {
      throw options.wrong("there is no folder " + folder);
    }
    return folder;
  }

  private List<NewEntry> lines(Path file) throws IOException, BadInput {
    if (!Files.isRegularFile(file)) {
      throw options.wrong("there is no file " + file);
    }
    var output =
        output()
            .orElseGet(
                () ->
                    file.resolveSibling(
                        String.valueOf(file.getFileName()).replaceFirst("\\.jsonl?$", "")
                            + ".results.jsonl"));
    if (Files.exists(output) && Files.isSameFile(file, output)) {
      throw options.wrong("-o: the answers cannot go into the file of prompts");
    }
    var priority = options.priorityName();
    var checked = LoneLine.read(file, model, options.maxTokens(), options.priority(priority));
    var entries = new ArrayList<NewEntry>();
    for (var each : checked) {
      entries.add(
          new NewEntry(
              "line:" + print(output.toString(), SHORT) + ":" + shown(each.id()),
              "line",
              each.digest(),
              patience(),
              output.toString(),
              QueuedWork.write(new QueuedWork.Line(each.line(), priority))));
    }
    return entries;
  }

  /** An id that may be as long as it likes, in a key that may not. */
  private static String shown(String id) {
    return id.length() <= 200 ? id : id.substring(0, 100) + "-" + print(id, 2 * DIGEST_BYTES);
  }

  private Optional<Path> output() {
    return options.output().map(given -> checked(here.resolve(given).normalize()));
  }

  private Path checked(Path output) {
    var parent = output.getParent();
    if (Files.isDirectory(output) || parent == null || !Files.isDirectory(parent)) {
      throw options.wrong("-o: name a file in a folder that is there, not " + output);
    }
    return output;
  }

  private NewEntry change(Path folder) throws IOException {
    if (options.diff().isPresent()) {
      var range = options.diff().get();
      try {
        var unused = ChangeRange.of(range);
      } catch (IllegalArgumentException no) {
        throw options.wrong("--diff: " + no.getMessage());
      }
      return review(new QueuedWork.Review(folder.toString(), Optional.of(range), Optional.empty()));
    }
    var file = here.resolve(options.patch().orElseThrow());
    if (!Files.isRegularFile(file)) {
      throw options.wrong("--patch: there is no file " + file);
    }
    if (Files.size(file) > NewEntry.LONGEST_PAYLOAD / 2) {
      throw options.wrong(
          "--patch: %s is too large for a queue; use a range instead".formatted(file));
    }
    var text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    return review(new QueuedWork.Review(folder.toString(), Optional.empty(), Optional.of(text)));
  }

  private NewEntry review(QueuedWork.Review work) throws IOException {
    var payload = QueuedWork.write(work);
    var what =
        work.range().orElseGet(() -> work.patch().map(text -> print(text, SHORT)).orElse(""));
    return new NewEntry(
        QueuedWork.kind(work) + ":" + work.folder() + (what.isEmpty() ? "" : ":" + what),
        QueuedWork.kind(work),
        print(payload, 2 * DIGEST_BYTES),
        patience(),
        output().map(Path::toString).orElse(""),
        payload);
  }

  private List<NewEntry> pulls(HostKind kind, PullRequests.Known known)
      throws HostTrouble, InterruptedException {
    var place = options.place(kind, environment);
    var entries = new ArrayList<NewEntry>();
    try (var door = PullRequests.at(place, environment)) {
      if (options.open()) {
        for (var open : door.unreviewed(repository(kind), options.drafts(), known)) {
          entries.add(pull(kind, place.site().toString(), open));
        }
      } else {
        var pull = door.read(name(kind));
        entries.add(
            pull(
                kind,
                place.site().toString(),
                new OpenPullRequest(pull.name(), "", pull.head(), false)));
      }
    }
    return entries;
  }

  private String repository(HostKind kind) {
    try {
      return PullRequestName.repository(kind, options.pulls());
    } catch (IllegalArgumentException no) {
      throw options.wrong("--" + kind + ": " + no.getMessage());
    }
  }

  private PullRequestName name(HostKind kind) {
    try {
      return PullRequestName.of(kind, options.pulls());
    } catch (IllegalArgumentException no) {
      throw options.wrong("--%s: %s (or --open for all)".formatted(kind, no.getMessage()));
    }
  }

  /** Another push is another entry: its key has the commit. */
  private NewEntry pull(HostKind kind, String site, OpenPullRequest open) throws HostTrouble {
    var work =
        new QueuedWork.Pull(
            kind, site, open.name().toString(), options.drafts(), options.approve());
    return new NewEntry(
        "%s:%s:%s@%s".formatted(kind, print(site, SHORT), open.name(), open.head()),
        QueuedWork.kind(work),
        open.head(),
        patience(),
        output().map(Path::toString).orElse(""),
        QueuedWork.write(work));
  }

  private Duration patience() {
    return options.priority(options.priorityName()).patience();
  }

  private static String print(String text, int length) {
    return HexFormat.of().formatHex(Sha256.of(text)).substring(0, length);
  }
}
