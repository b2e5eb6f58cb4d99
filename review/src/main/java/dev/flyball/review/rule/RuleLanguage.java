package dev.flyball.review.rule;

import dev.flyball.review.symbol.Language;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kind of file that rules are written for, by the name that rule files have for it. */
public enum RuleLanguage {
  JAVA("java", Language.JAVA),
  PYTHON("python", Language.PYTHON),
  JAVASCRIPT("javascript", Language.JAVASCRIPT),
  TYPESCRIPT("typescript", Language.TYPESCRIPT),
  TSX("tsx", Language.TSX),
  GO("go", Language.GO),
  RUST("rust", Language.RUST),
  C("c", Language.C),
  CPP("cpp", Language.CPP),
  CSHARP("csharp", Language.C_SHARP),
  KOTLIN("kotlin", Language.KOTLIN),
  /** What GitHub runs: workflows and actions. */
  WORKFLOW("workflow", null),
  DOCKERFILE("dockerfile", null);

  private static final String WORKFLOWS = ".github/workflows/";

  private final String key;
  private final @Nullable Language grammar;

  RuleLanguage(String key, @Nullable Language grammar) {
    this.key = key;
    this.grammar = grammar;
  }

  /** As rule files name it. */
  public String key() {
    return key;
  }

  /** As people write it. */
  public String title() {
    return switch (this) {
      case WORKFLOW -> "GitHub workflow";
      case DOCKERFILE -> "Dockerfile";
      default -> grammar().map(Language::title).orElse(key);
    };
  }

  /** Empty if it is read in another way. */
  public Optional<Language> grammar() {
    return Optional.ofNullable(grammar);
  }

  /** By the name that rule files have. */
  public static Optional<RuleLanguage> named(String key) {
    return Arrays.stream(values()).filter(each -> each.key.equals(key)).findFirst();
  }

  /** By the name of a file. */
  public static Optional<RuleLanguage> of(String path) {
    var folder = path.substring(0, path.lastIndexOf('/') + 1);
    var name = path.substring(folder.length()).toLowerCase(Locale.ROOT);
    boolean yaml = name.endsWith(".yml") || name.endsWith(".yaml");
    boolean workflow = folder.equals(WORKFLOWS) || folder.endsWith("/" + WORKFLOWS);
    if ((workflow && yaml) || Set.of("action.yml", "action.yaml").contains(name)) {
      return Optional.of(WORKFLOW);
    }
    if (Set.of("dockerfile", "containerfile").contains(name)
        || name.startsWith("dockerfile.")
        || name.endsWith(".dockerfile")) {
      return Optional.of(DOCKERFILE);
    }
    return Language.of(path)
        .flatMap(
            language ->
                Arrays.stream(values()).filter(each -> each.grammar == language).findFirst());
  }
}
