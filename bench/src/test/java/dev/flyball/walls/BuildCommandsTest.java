package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The builds that our pages tell people to make are of modules and profiles that there are. */
final class BuildCommandsTest {
  private static final Pattern COMMAND = Pattern.compile("\\bmvn (-[^`\n#|&]*)");
  private static final Pattern MODULES = Pattern.compile("-pl (\\S+)");
  private static final Pattern PROFILE = Pattern.compile("-P(\\S+)");
  private static final Pattern PROFILES = Pattern.compile("<id>([^<]+)</id>");

  private final SourceTree tree = SourceTree.ours();
  private final String root = SourceTree.read(tree.root().resolve("pom.xml"));

  private List<String> commands() throws IOException {
    var pages = new ArrayList<Path>();
    for (var name : List.of("README.md", "CONTRIBUTING.md", "Dockerfile")) {
      pages.add(tree.root().resolve(name));
    }
    try (var docs = Files.newDirectoryStream(tree.root().resolve("docs"), "*.md")) {
      docs.forEach(pages::add);
    }
    return pages.stream()
        .flatMap(page -> COMMAND.matcher(SourceTree.read(page)).results())
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void a_page_names_modules_and_profiles_that_there_are() throws IOException {
    assertThat(commands()).hasSizeGreaterThan(8);
    for (var command : commands()) {
      MODULES
          .matcher(command)
          .results()
          .flatMap(found -> List.of(found.group(1).split(",", -1)).stream())
          .forEach(module -> assertThat(tree.root().resolve(module).resolve("pom.xml")).exists());
      PROFILE
          .matcher(command)
          .results()
          .forEach(
              found ->
                  assertThat(PROFILES.matcher(root).results().map(id -> id.group(1)))
                      .as(command)
                      .contains(found.group(1)));
    }
  }

  /**
   * The archive is built without tests; what needs those of another module cannot be part of it.
   */
  @Test
  void what_is_built_without_tests_needs_the_tests_of_nobody() {
    var always = root.substring(root.indexOf("<modules>"), root.indexOf("</modules>"));
    assertThat(always).contains("<module>cli</module>");
    for (var module : tree.modules()) {
      // What a profile adds is there only where tests are.
      var pom =
          SourceTree.read(tree.root().resolve(module).resolve("pom.xml")).split("<profiles>", 2)[0];
      if (pom.contains("<type>test-jar</type>")) {
        assertThat(always).doesNotContain("<module>" + module + "</module>");
      }
    }
  }
}
