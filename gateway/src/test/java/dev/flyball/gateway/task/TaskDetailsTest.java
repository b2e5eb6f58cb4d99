package dev.flyball.gateway.task;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TaskDetailsTest {
  @TempDir private Path folder;
  @TempDir private Path outside;

  private TaskDetails read(String text) throws TaskCode.Refused {
    var settings = TaskSettings.USUAL.repositories(NamedFolders.of(Map.of("api", folder)));
    return TaskDetails.of(TaskDetails.json(text.getBytes(UTF_8)), settings);
  }

  @Test
  void a_request_says_what_to_review_and_how() throws Exception {
    var details =
        read(
            """
            {"repository":"api","range":"main...HEAD","lenses":["security"],
             "budget":{"tokens":5000,"usd":"1.50"},"formats":["sarif","markdown"],
             "deadlineSeconds":60}
            """);
    assertThat(details.folder()).contains(folder.toRealPath());
    assertThat(details.lenses()).containsExactly("security");
    assertThat(details.tokens()).hasValue(5_000);
    assertThat(details.money().orElseThrow().decimal()).startsWith("1.5");
    assertThat(details.formats()).hasSize(2);
    assertThat(details.within()).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{| MALFORMED_JSON",
        "[]| MALFORMED_JSON",
        "7| MALFORMED_JSON",
        "null| MALFORMED_JSON",
        "''| MALFORMED_JSON",
        "{} {}| MALFORMED_JSON",
        "{\"patch\":\"a\",\"patch\":\"b\"}| MALFORMED_JSON",
        "{\"patch\":NaN}| MALFORMED_JSON",
        "{}| MISSING_SUBJECT",
        "{\"repository\":\"api\"}| MISSING_SUBJECT",
        "{\"range\":\"HEAD\"}| MISSING_SUBJECT",
        "{\"patch\":null}| MISSING_SUBJECT",
        "{\"patch\":\"\"}| INVALID_FIELD",
        "{\"patch\":7}| INVALID_FIELD",
        "{\"patch\":\"x\",\"range\":\"HEAD\"}| INVALID_FIELD",
        "{\"patch\":\"x\",\"model\":\"y\"}| INVALID_FIELD",
        "{\"patch\":\"x\",\"lenses\":[]}| INVALID_FIELD",
        "{\"patch\":\"x\",\"lenses\":\"security\"}| INVALID_FIELD",
        "{\"patch\":\"x\",\"lenses\":[\"../../etc\"]}| INVALID_FIELD",
        "{\"patch\":\"x\",\"lenses\":[\"no-such\"]}| UNKNOWN_LENS",
        "{\"patch\":\"x\",\"budget\":5}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"tokens\":0}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"tokens\":1.5}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"tokens\":1e400}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"tokens\":99999999999999999999}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"usd\":2.5}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"usd\":\"-1\"}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"usd\":\"0.00\"}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"budget\":{\"eur\":\"1\"}}| INVALID_FIELD",
        "{\"patch\":\"x\",\"formats\":[\"pdf\"]}| INVALID_FIELD",
        "{\"patch\":\"x\",\"formats\":[\"json\",\"json\"]}| INVALID_FIELD",
        "{\"patch\":\"x\",\"formats\":\"json\"}| INVALID_FIELD",
        "{\"patch\":\"x\",\"deadlineSeconds\":0}| INVALID_FIELD",
        "{\"patch\":\"x\",\"deadlineSeconds\":1801}| INVALID_FIELD",
        "{\"patch\":\"x\",\"deadlineSeconds\":\"60\"}| INVALID_FIELD",
        "{\"repository\":\"api\",\"range\":\"--output=/tmp/x\"}| INVALID_FIELD",
        "{\"repository\":\"other\",\"range\":\"HEAD\"}| UNKNOWN_REPOSITORY",
        "{\"repository\":\"/etc\",\"range\":\"HEAD\"}| UNKNOWN_REPOSITORY",
        "{\"repository\":\"api/..\",\"range\":\"HEAD\"}| UNKNOWN_REPOSITORY",
        "{\"repository\":\"api/.git\",\"range\":\"HEAD\"}| UNKNOWN_REPOSITORY",
        "{\"repository\":\"api/\\u0000\",\"range\":\"HEAD\"}| UNKNOWN_REPOSITORY",
      })
  void a_wrong_one_is_refused_for_its_rule(String text, TaskCode code) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOfSatisfying(
            TaskCode.Refused.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @ParameterizedTest
  @ValueSource(ints = {999, 1_001, 100_000})
  void nested_without_end_it_is_malformed_and_breaks_nothing(int deep) {
    assertThatThrownBy(() -> read("{\"patch\":" + "[".repeat(deep) + "]".repeat(deep) + "}"))
        .isInstanceOf(TaskCode.Refused.class);
  }

  @Test
  void the_same_subject_of_one_tenant_has_one_key_whatever_else_is_asked() throws Exception {
    var one = read("{\"patch\":\"x\"}");
    var other = read("{\"patch\":\"x\",\"formats\":[\"sarif\"],\"deadlineSeconds\":9}");
    assertThat(one.key("a")).isEqualTo(other.key("a"));
    assertThat(one.key("a")).isNotEqualTo(one.key("b"));
    assertThat(one.key("a")).isNotEqualTo(read("{\"patch\":\"y\"}").key("a"));
  }

  @Test
  void a_repository_is_found_below_a_folder_without_following_links() throws Exception {
    Files.createDirectories(outside.resolve(".git"));
    Files.createDirectories(folder.resolve("team/one/.git"));
    Files.createDirectories(folder.resolve("team/worktree"));
    Files.writeString(folder.resolve("team/worktree/.git"), "gitdir: " + outside + "\n");
    Files.createDirectories(folder.resolve("team/plain"));
    Files.createSymbolicLink(folder.resolve("team/link"), outside);
    Files.createSymbolicLink(folder.resolve("up"), folder.resolve("team"));
    Files.createDirectories(folder.resolve("team/linked"));
    Files.createSymbolicLink(folder.resolve("team/linked/.git"), outside.resolve(".git"));
    var named = NamedFolders.of(Map.of("api", folder));
    assertThat(named.find("api/team/one")).contains(folder.toRealPath().resolve("team/one"));
    for (var astray :
        new String[] {
          "api/team/worktree",
          "api/team/plain",
          "api/team/link",
          "api/up/one",
          "api/team/linked",
          "api/team/one/",
          "api//team/one",
          "api/./team/one",
          "api/team/one/../one",
          "api\\team\\one",
          "api/team\\one",
          "",
          "/",
          "..",
        }) {
      assertThat(named.find(astray)).as(astray).isEmpty();
    }
  }
}
