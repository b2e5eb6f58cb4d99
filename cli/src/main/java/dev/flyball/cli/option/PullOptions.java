package dev.flyball.cli.option;

import dev.flyball.cli.option.SetBy.Who;
import dev.flyball.publish.HostKind;
import dev.flyball.publish.HostPlace;
import dev.flyball.publish.PullRequestName;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which pull request is meant, and what becomes of it there. */
public final class PullOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @SetBy(Who.USER)
  @Option(
      names = "--github",
      paramLabel = "OWNER/REPO#N",
      description = "A pull request of GitHub; GITHUB_TOKEN has the token.")
  private @Nullable String gitHub;

  @SetBy(Who.USER)
  @Option(
      names = "--gitlab",
      paramLabel = "GROUP/PROJECT!N",
      description = "A merge request of GitLab; GITLAB_TOKEN has the token.")
  private @Nullable String gitLab;

  @SetBy(Who.USER)
  @Option(
      names = "--host-url",
      paramLabel = "URL",
      description = "Address of your own GitHub Enterprise or GitLab server.")
  private @Nullable String hostUrl;

  @SetBy(Who.USER)
  @Option(
      names = "--open",
      description =
          "With a repository: list its open pull requests whose newest commit has no complete"
              + " review yet, the newest last.")
  private boolean open;

  @SetBy(Who.USER)
  @Option(names = "--drafts", description = "Review drafts and work in progress too.")
  private boolean drafts;

  @SetBy(Who.USER)
  @Option(
      names = "--post",
      description =
          "Post the review: at most ten comments beside the code, the rest in one summary."
              + " Nothing is posted twice.")
  private boolean post;

  @SetBy(Who.USER)
  @Option(
      names = "--approve",
      description = "With --post: approve, if the verdict is `approved` and nothing was left out.")
  private boolean approve;

  @SetBy(Who.USER)
  @Option(
      names = "--since-last",
      description =
          "Review only the files that changed since the last complete review of the pull request;"
              + " findings in other files are carried forward.")
  private boolean sinceLast;

  /** Whether a pull request was named. */
  public boolean isNamed() {
    return (gitHub != null || gitLab != null) && !open;
  }

  /** Whether a list was asked for. */
  public boolean isList() {
    return open;
  }

  /** Refuses what does not go together. */
  public void check(boolean otherChange) {
    if (gitHub != null && gitLab != null) {
      throw wrong("--github and --gitlab are different hosts: name one");
    }
    boolean any = gitHub != null || gitLab != null;
    if (any && otherChange) {
      throw wrong("a pull request and --diff, --staged, --worktree or --patch: name one");
    }
    if (!any && (open || post || sinceLast || approve)) {
      throw wrong(
          "%s is about a pull request: name it with --github or --gitlab"
              .formatted(
                  open ? "--open" : post ? "--post" : sinceLast ? "--since-last" : "--approve"));
    }
    if (approve && !post) {
      throw wrong("--approve needs --post");
    }
    if (open && (post || sinceLast)) {
      throw wrong("--open only lists: review one with --github OWNER/REPO#N");
    }
  }

  private HostKind kind() {
    return gitLab != null ? HostKind.GITLAB : HostKind.GITHUB;
  }

  private String said() {
    return gitLab != null ? gitLab : String.valueOf(gitHub);
  }

  /** The pull request that is meant. */
  public PullRequestName name() {
    try {
      return PullRequestName.of(kind(), said());
    } catch (IllegalArgumentException no) {
      throw wrong("--" + kind() + ": " + no.getMessage());
    }
  }

  /** The repository whose pull requests are listed. */
  public String repository() {
    try {
      return PullRequestName.repository(kind(), said());
    } catch (IllegalArgumentException no) {
      throw wrong("--" + kind() + ": " + no.getMessage());
    }
  }

  /** Where it is. */
  public HostPlace place(Map<String, String> environment) {
    try {
      return HostPlace.of(kind(), Optional.ofNullable(hostUrl), environment);
    } catch (IllegalArgumentException no) {
      throw wrong((hostUrl == null ? "" : "--host-url: ") + no.getMessage());
    }
  }

  public boolean drafts() {
    return drafts;
  }

  public boolean post() {
    return post;
  }

  public boolean approve() {
    return approve;
  }

  public boolean sinceLast() {
    return sinceLast;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
