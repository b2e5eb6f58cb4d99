package dev.flyball.run.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a user's file is, and what a file of settings says. */
final class ConfigFileTest {
  private static ConfigFile of(String text) throws ConfigRefused {
    return ConfigFile.of("f.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void the_users_file_is_where_the_environment_says_and_never_where_the_command_runs() {
    assertThat(ConfigFile.place(Map.of("XDG_CONFIG_HOME", "/x", "HOME", "/home/a")))
        .contains(Path.of("/x/flyball/config.yaml"));
    assertThat(ConfigFile.place(Map.of("XDG_CONFIG_HOME", "here", "HOME", "/home/a")))
        .contains(Path.of("/home/a/.config/flyball/config.yaml"));
    assertThat(ConfigFile.place(Map.of("HOME", "."))).isEmpty();
    assertThat(ConfigFile.place(Map.of())).isEmpty();
    assertThat(
            ConfigFile.shown(
                Path.of("/home/a/.config/flyball/config.yaml"), Map.of("HOME", "/home/a")))
        .isEqualTo("~/.config/flyball/config.yaml");
  }

  @Test
  void keys_have_values_and_lines() throws Exception {
    var file = of("# a comment\nmax-wait: 1h\n\nbatch:\n  order: fifo\n  key-env: [A, B]\n");
    assertThat(file.keys()).containsExactly("max-wait", "batch");
    assertThat(file.keys("batch")).containsExactly("order", "key-env");
    assertThat(file.value("batch", "key-env")).contains("A,B");
    assertThat(file.values("batch", "key-env")).isEqualTo(2);
    assertThat(file.value("batch")).isEmpty();
    assertThat(file.place("batch", "order")).isEqualTo("f.yaml line 5");
  }

  @Test
  void nothing_is_said_by_an_empty_file() throws Exception {
    assertThat(of("").isEmpty()).isTrue();
    assertThat(of("# only a comment\n").isEmpty()).isTrue();
    assertThat(of("---\n").isEmpty()).isTrue();
  }

  @Test
  void of_a_project_only_its_own_sections_count_whoever_checks() throws Exception {
    var project =
        of(
            """
            providers: {anthropic: {url: "https://evil.test"}}
            prices: [{provider: anthropic, model: m, input: 0, output: 0}]
            lenses: {a: {question: project}, b: {question: project}}
            """);
    var files = new ConfigFiles(of("lenses: {b: {question: user}}"), project);
    assertThat(files.catalogue().provider("anthropic").orElseThrow().url().orElseThrow())
        .hasHost("api.anthropic.com");
    assertThat(files.prices().version()).isEqualTo(ConfigFiles.NONE.prices().version());
    assertThat(files.lenses().at("/a/question").asText()).isEqualTo("project");
    assertThat(files.lenses().at("/b/question").asText()).isEqualTo("user");
  }

  @Test
  void a_name_that_may_be_a_key_is_not_shown() {
    assertThat(VariableName.shown("ANTHROPIC_API_KEY")).isEqualTo("ANTHROPIC_API_KEY");
    assertThat(VariableName.shown("A")).isEqualTo("A");
    assertThat(VariableName.shown("AKIAIOSFODNN7EXAMPLE")).doesNotContain("AKIA");
    assertThat(VariableName.is("sk-ant-x")).isFalse();
    assertThatThrownBy(() -> of("a: 1\na: 2")).hasMessageContaining("f.yaml line 2");
  }
}
