package dev.flyball.review.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a rule looks for, by how its files are read. */
public sealed interface RuleMatcher {
  /** Patterns of tree-sitter; what is captured as {@code @finding} is the place. */
  record Syntax(String query) implements RuleMatcher {}

  /**
   * A value of a workflow, or that there is none.
   *
   * @param absent whether it is a finding that there is no such value
   * @param once whether of values that say the same only the first of a file is a finding
   * @param when what must be elsewhere in the file
   * @param unless what must not
   */
  record Workflow(
      ValueTest value, boolean absent, boolean once, List<ValueTest> when, List<ValueTest> unless)
      implements RuleMatcher {
    public Workflow {
      when = List.copyOf(when);
      unless = List.copyOf(unless);
    }
  }

  /**
   * A place in a workflow, and what stands or does not stand there.
   *
   * @param path keys and positions with dots between; {@code *} is any one of them, {@code **} any
   *     number
   */
  record ValueTest(String path, Optional<Pattern> match, Optional<Pattern> notMatch) {}

  /**
   * An instruction of a Dockerfile, or that there is none.
   *
   * @param absent whether it is a finding that the last stage has no such instruction
   * @param lastStage whether only the last stage counts, which is what runs
   */
  record Docker(
      InstructionTest instruction,
      boolean absent,
      boolean lastStage,
      List<InstructionTest> when,
      List<InstructionTest> unless)
      implements RuleMatcher {
    public Docker {
      when = List.copyOf(when);
      unless = List.copyOf(unless);
    }
  }

  /** The name of an instruction, and what its arguments say or do not say. */
  record InstructionTest(Pattern name, Optional<Pattern> match, Optional<Pattern> notMatch) {}

  /** Something that needs a program of its own, which is elsewhere. */
  record BuiltIn() implements RuleMatcher {}

  /**
   * A rule of PMD.
   *
   * @param rule such as {@code category/java/errorprone.xml/EqualsNull}
   */
  record Pmd(String rule, Map<String, String> properties) implements RuleMatcher {
    public Pmd {
      properties = Map.copyOf(properties);
    }
  }
}
