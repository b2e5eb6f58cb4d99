package dev.flyball.publish;

/** A pull request as a list of them tells it. */
public record OpenPullRequest(PullRequestName name, String title, String head, boolean draft) {}
