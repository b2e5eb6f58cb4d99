package dev.flyball.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ArchitectureMapTest {
  private static final String WAY_OUT =
      "mvn -pl bench -am test -Dtest=ArchitectureMapTest -Dmap=write";

  @Test
  void the_map_shows_the_code() throws IOException {
    var sources = SourceTree.ours();
    Path file = sources.root().resolve("docs/architecture.svg");
    String drawn = ArchitectureMap.of(Shipped.CLASSES, sources).svg();
    if ("write".equals(System.getProperty("map"))) {
      Files.writeString(file, drawn);
    }

    assertThat(file)
        .as(
            "docs/architecture.svg is not what the code gives. If the new arrows or packages are"
                + " meant, draw it again: "
                + WAY_OUT)
        .hasContent(drawn);
  }

  @Test
  void every_module_is_on_the_map() {
    var sources = SourceTree.ours();
    assertThat(ArchitectureMap.of(Shipped.CLASSES, sources).modules().names())
        .containsExactlyInAnyOrderElementsOf(sources.modules());
  }

  @Test
  void an_arrow_that_follows_from_others_is_left_out() {
    var graph = Digraph.of(Set.of("top", "middle", "bottom", "aside"));
    graph.add("top", "middle");
    graph.add("middle", "bottom");
    graph.add("top", "bottom");
    graph.add("top", "aside");

    assertThat(graph.reduced().of("top")).containsExactly("aside", "middle");
    assertThat(graph.reduced().of("middle")).containsExactly("bottom");
  }

  @Test
  void a_name_stands_above_all_that_it_uses() {
    var graph = Digraph.of(Set.of("top", "middle", "bottom"));
    graph.add("top", "middle");
    graph.add("middle", "bottom");
    graph.add("top", "bottom");

    assertThat(graph.heights())
        .containsEntry("top", 2)
        .containsEntry("middle", 1)
        .containsEntry("bottom", 0);
  }

  @Test
  void a_cycle_is_not_drawn() {
    var graph = Digraph.of(Set.of("one", "other"));
    graph.add("one", "other");
    graph.add("other", "one");

    assertThatThrownBy(graph::heights).hasMessageContaining("cycle");
  }
}
