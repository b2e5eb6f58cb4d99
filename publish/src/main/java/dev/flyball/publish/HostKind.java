package dev.flyball.publish;

/** A sort of host that code is discussed on. */
public enum HostKind {
  GITHUB("github", "GitHub", '#', "GITHUB_TOKEN"),
  GITLAB("gitlab", "GitLab", '!', "GITLAB_TOKEN");

  private final String word;
  private final String title;
  private final char sign;
  private final String variable;

  HostKind(String word, String title, char sign, String variable) {
    this.word = word;
    this.title = title;
    this.sign = sign;
    this.variable = variable;
  }

  /** As people write it. */
  public String title() {
    return title;
  }

  /** What stands between a repository and a number. */
  public char sign() {
    return sign;
  }

  /** The variable that has its token. */
  public String variable() {
    return variable;
  }

  /** As options and files write it. */
  @Override
  public String toString() {
    return word;
  }
}
