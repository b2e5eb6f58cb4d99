package dev.flyball.cli.option;

import dev.flyball.call.Priority;
import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.publish.HostKind;
import dev.flyball.publish.HostPlace;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what is added to a queue, and where its results go. */
public final class QueueAddOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.FLAG)
  @Option(
      names = "--diff",
      paramLabel = "RANGE",
      description = "A change of the folder, as in `review`.")
  private @Nullable String diff;

  @SetBy(Who.FLAG)
  @Option(names = "--patch", paramLabel = "FILE", description = "A patch for the folder.")
  private @Nullable Path patch;

  @SetBy(Who.FLAG)
  @Option(
      names = "--github",
      paramLabel = "OWNER/REPO[#N]",
      description = "A pull request; with --open all that have no complete review yet.")
  private @Nullable String gitHub;

  @SetBy(Who.FLAG)
  @Option(
      names = "--gitlab",
      paramLabel = "GROUP/PROJECT[!N]",
      description = "A merge request, the same way.")
  private @Nullable String gitLab;

  @SetBy(Who.USER)
  @Option(
      names = "--host-url",
      paramLabel = "URL",
      description = "Where a GitHub Enterprise or GitLab server of your own is.")
  private @Nullable String hostUrl;

  @SetBy(Who.FLAG)
  @Option(names = "--open", description = "All open ones of the repository.")
  private boolean open;

  @SetBy(Who.FLAG)
  @Option(names = "--drafts", description = "Drafts and work in progress too.")
  private boolean drafts;

  @SetBy(Who.FLAG)
  @Option(names = "--approve", description = "The review may approve, if nothing is against it.")
  private boolean approve;

  @SetBy(Who.FLAG)
  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT.jsonl",
      description =
          "The file that results are appended to. Default: IN.results.jsonl for lines; reviews"
              + " are kept for `flyball report`")
  private @Nullable Path output;

  @SetBy(Who.USER)
  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "Longest answer, for lines that have only a prompt.")
  private @Nullable Long maxTokens;

  @SetBy(Who.USER)
  @Option(
      names = "--priority",
      paramLabel = "P",
      defaultValue = "normal",
      description =
          "Interactive goes first, then normal, then bulk; none waits forever. Default:"
              + " ${DEFAULT-VALUE}")
  private String priority;

  @SetBy(Who.USER)
  @Option(
      names = "--bound",
      paramLabel = "N",
      defaultValue = "250000",
      description = "Refuse more entries than this in the queue. Default: ${DEFAULT-VALUE}")
  private int bound;

  @SetBy(Who.FLAG)
  @Option(names = "--again", description = "Also add what was done in the last week.")
  private boolean again;

  @SetBy(Who.FLAG)
  @Option(names = "--yes", description = "Allow a whole folder, which may be expensive.")
  private boolean yes;

  /** The change of a folder, if one is meant. */
  public Optional<String> diff() {
    return Optional.ofNullable(diff);
  }

  public Optional<Path> patch() {
    return Optional.ofNullable(patch);
  }

  /** Whose pull requests, if some are meant. */
  public Optional<HostKind> host() {
    if (gitHub != null && gitLab != null) {
      throw wrong("--github and --gitlab are different hosts: name one");
    }
    return gitHub != null
        ? Optional.of(HostKind.GITHUB)
        : gitLab != null ? Optional.of(HostKind.GITLAB) : Optional.empty();
  }

  /** The pull request or repository, as it was written. */
  public String pulls() {
    return gitHub != null ? gitHub : String.valueOf(gitLab);
  }

  /** Where a host is, for one who adds and for one who works. */
  public HostPlace place(HostKind kind, Map<String, String> environment) {
    try {
      return HostPlace.of(kind, Optional.ofNullable(hostUrl), environment);
    } catch (IllegalArgumentException no) {
      throw wrong((hostUrl == null ? "" : "--host-url: ") + no.getMessage());
    }
  }

  public boolean open() {
    return open;
  }

  public boolean drafts() {
    return drafts;
  }

  public boolean approve() {
    return approve;
  }

  public Optional<Path> output() {
    return Optional.ofNullable(output);
  }

  public OptionalLong maxTokens() {
    if (maxTokens != null && maxTokens < 1) {
      throw wrong("--max-tokens: must be at least 1, not " + maxTokens);
    }
    return maxTokens == null ? OptionalLong.empty() : OptionalLong.of(maxTokens);
  }

  /** The name of the priority, which is one. */
  public String priorityName() {
    var unused = priority(priority);
    return priority;
  }

  /** The patience of a name. */
  public Priority priority(String name) {
    return switch (name) {
      case "interactive" -> Priority.INTERACTIVE;
      case "normal" -> Priority.NORMAL;
      case "bulk" -> Priority.BULK;
      default -> throw wrong("--priority: must be interactive, normal or bulk, not " + name);
    };
  }

  /** How many entries the queue may hold. */
  public int bound() {
    if (bound < 1) {
      throw wrong("--bound: must be at least 1, not " + bound);
    }
    return bound;
  }

  /** Whether what was done is done again. */
  public boolean again() {
    return again;
  }

  public boolean yes() {
    return yes;
  }

  public ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
