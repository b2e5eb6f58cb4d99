package dev.flyball.review.relation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tests belong to which file. */
@Timeout(60)
final class TestsOfTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "src/test/java/org/acme/Foo.java",
        "core/src/test/resources/sample.json",
        "test/helper.js",
        "tests/conftest.py",
        "web/__tests__/foo.ts",
        "spec/models/user_spec.rb",
        "src/integrationTest/kotlin/Foo.kt",
        "src/commonTest/kotlin/Foo.kt",
        "src/testFixtures/java/Foo.java",
        "Acme.Tests/Foo.cs",
        "Acme.UnitTests/Foo.cs",
        "AcmeTests/Foo.swift",
        "integration-test/Foo.java",
        "unit_tests/foo.c",
        "Foo/FooTest.java",
        "FooIT.java",
        "TestFoo.kt",
        "HTTPTest.java",
        "test_foo.py",
        "foo_test.py",
        "app/tests.py",
        "foo.test.tsx",
        "foo.spec.ts",
        "foo-test.js",
        "foo_test.go",
        "src/foo/tests.rs",
        "foo_unittest.cc",
        "test_foo.c",
        "FooTests.cs",
      })
  void these_are_tests(String path) {
    assertThat(TestsOf.isTest(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "latest.py",
        "inspect.ts",
        "contest.go",
        "attestation/verify.go",
        "src/attest/a.ts",
        "latest/index.js",
        "contests/list.py",
        "greatest-tester/a.py",
        "inspector/spectrum.js",
        "speedtest.go",
        "speedTest.go",
        "protest.rs",
        "Latest.java",
        "LATEST.java",
        "Contest.kt",
        "EDIT.java",
        "Audit.java",
        "KeySpec.java",
        "FunSpec.kt",
        "Testament.java",
        "Testcontainers.java",
        "Test.java",
        "testing.ts",
        "ab-test/split.ts",
        "src/main/java/org/acme/test/Harness.java",
        "src/main/java/org/acme/LoadTest.java",
        "test-plan.md",
        "openapi.spec.yaml",
        "test.sh",
        "",
        "/",
        ".test",
      })
  void these_are_not(String path) {
    assertThat(TestsOf.isTest(path)).isFalse();
  }

  @Test
  void of_java_the_mirrored_package_comes_first() {
    found(
        "core/src/main/java/org/acme/Foo.java",
        "core/src/test/java/org/acme/FooIT.java",
        "core/src/test/java/org/acme/FooSpec.groovy",
        "core/src/test/java/org/acme/FooTest.java",
        "core/src/test/java/org/acme/FooTests.java",
        "core/src/test/java/org/acme/TestFoo.java");
    found(
        "core/src/main/kotlin/org/acme/Foo.kt",
        "core/src/test/kotlin/org/acme/FooTest.kt",
        "core/src/test/kotlin/org/acme/more/FooTest.kt",
        "journeys/src/test/java/org/acme/FooIT.java");
  }

  @Test
  void a_test_belongs_to_the_module_that_has_its_package() {
    var tests =
        TestsOf.of(
            List.of(
                "a/src/main/java/org/acme/Foo.java",
                "b/src/main/java/org/acme/Foo.java",
                "c/src/main/java/org/other/Foo.java",
                "a/src/test/java/org/acme/FooTest.java",
                "b/src/test/java/org/acme/FooTest.java"));
    assertThat(tests.tests("a/src/main/java/org/acme/Foo.java"))
        .containsExactly("a/src/test/java/org/acme/FooTest.java");
    assertThat(tests.tests("b/src/main/java/org/acme/Foo.java"))
        .containsExactly("b/src/test/java/org/acme/FooTest.java");
    assertThat(tests.tests("c/src/main/java/org/other/Foo.java")).isEmpty();
  }

  @Test
  void of_python_tests_are_beside_or_in_a_tree_of_their_own() {
    found("pkg/foo.py", "pkg/foo_test.py", "pkg/test_foo.py", "pkg/tests/test_foo.py");
    found("src/pkg/sub/foo.py", "tests/pkg/sub/test_foo.py", "tests/sub/test_foo.py");
    found("src/pkg/sub/foo.py", "tests/unit/test_foo.py");
    notFound("src/pkg/sub/foo.py", "src/pkg/other/test_foo.py");
    notFound("src/pkg/foo.py", "tests/foo.py");
  }

  @Test
  void of_javascript_and_typescript_tests_are_beside_or_below() {
    found("web/src/foo.ts", "web/src/__tests__/foo.ts", "web/src/foo.test.ts", "web/test/foo.js");
    found("web/src/Button.tsx", "web/src/Button.spec.tsx", "web/src/Button.test.jsx");
    found("web/src/Button/index.tsx", "web/src/Button/Button.test.tsx");
    found("a/src/user.service.ts", "a/src/user.service.spec.ts");
    notFound("a/src/index.ts", "b/src/index.test.ts");
    notFound("packages/a/src/index.ts", "packages/b/test/index.test.ts");
  }

  @Test
  void of_other_languages_the_usual_names_count() {
    found("pkg/foo.go", "pkg/foo_test.go");
    notFound("pkg/foo.go", "other/foo_test.go");
    found("crates/x/src/foo.rs", "crates/x/tests/foo.rs");
    found("crates/x/src/foo/mod.rs", "crates/x/tests/foo.rs");
    found("src/foo.cc", "src/foo_test.cc", "test/foo_test.cc", "tests/test_foo.cc");
    found("include/acme/foo.h", "test/foo_test.cc");
    found("llvm/lib/Support/StringRef.cpp", "llvm/unittests/ADT/StringRefTest.cpp");
    found("src/Acme/Services/Foo.cs", "tests/Acme.Tests/Services/FooTests.cs");
    found("app/models/user.rb", "spec/models/user_spec.rb");
  }

  @Test
  void a_test_belongs_to_the_nearest_of_its_name() {
    var tests =
        TestsOf.of(
            List.of(
                "src/index.ts",
                "src/a/index.ts",
                "src/a/b/util.ts",
                "src/c/d/util.ts",
                "lib/x/beside.ts",
                "src/x/beside.ts",
                "src/x/beside.test.ts",
                "test/index.test.ts",
                "test/util.test.ts"));
    assertThat(tests.tests("src/index.ts")).containsExactly("test/index.test.ts");
    assertThat(tests.tests("src/a/index.ts")).isEmpty();
    assertThat(tests.tests("src/x/beside.ts")).containsExactly("src/x/beside.test.ts");
    assertThat(tests.tests("lib/x/beside.ts")).isEmpty();
    assertThat(tests.tests("src/a/b/util.ts")).containsExactly("test/util.test.ts");
    assertThat(tests.tests("src/c/d/util.ts")).containsExactly("test/util.test.ts");
  }

  @Test
  void a_header_and_its_code_have_the_same_tests() {
    var tests =
        TestsOf.of(List.of("include/acme/foo.h", "src/foo.cc", "test/foo_test.cc", "README"));
    assertThat(tests.tests("include/acme/foo.h")).containsExactly("test/foo_test.cc");
    assertThat(tests.tests("src/foo.cc")).containsExactly("test/foo_test.cc");
  }

  @Test
  void a_test_and_an_unknown_file_have_no_tests() {
    var tests = TestsOf.of(List.of("foo.go", "foo_test.go", "Makefile"));
    assertThat(tests.tests("foo_test.go")).isEmpty();
    assertThat(tests.tests("Makefile")).isEmpty();
    assertThat(tests.tests("bar.go")).isEmpty();
  }

  @Test
  void at_most_five_are_named_and_the_order_of_the_paths_does_not_matter() {
    var paths = new ArrayList<>(List.of("src/foo.py", "src/bar/foo.py", "foo.py"));
    IntStream.range(0, 40).forEach(i -> paths.add("tests/t" + i % 7 + "/u" + i + "/test_foo.py"));
    var tests = TestsOf.of(paths);
    assertThat(tests.tests("foo.py")).hasSize(TestsOf.MOST);
    for (long seed = 0; seed < 20; seed++) {
      Collections.shuffle(paths, new Random(seed));
      var again = TestsOf.of(paths);
      for (var path : paths) {
        assertThat(again.tests(path)).as("seed %d", seed).isEqualTo(tests.tests(path));
      }
    }
  }

  @Test
  void many_files_of_one_name_take_no_square_of_them() {
    var paths = new ArrayList<String>();
    for (int i = 0; i < 50_000; i++) {
      paths.add("packages/p" + i + "/src/index.ts");
      paths.add("packages/p" + i + "/src/index.test.ts");
      paths.add("tests/q" + i + "/index.test.ts");
    }
    for (int i = 0; i < 1 << 14; i++) {
      var folder = new StringBuilder();
      for (int bit = 1; bit < 1 << 14; bit <<= 1) {
        folder.append((i & bit) == 0 ? "src/" : "lib/");
      }
      paths.add(folder + "same.ts");
      paths.add(folder + "same.test.ts");
    }
    paths.add("/".repeat(100_000) + "index.ts");
    var tests = TestsOf.of(paths);
    assertThat(tests.tests("packages/p7/src/index.ts"))
        .containsExactly("packages/p7/src/index.test.ts");
  }

  private static void found(String source, String... tests) {
    var paths = new ArrayList<>(Arrays.asList(tests));
    paths.add(source);
    assertThat(TestsOf.of(paths).tests(source)).containsExactly(tests);
  }

  private static void notFound(String source, String test) {
    assertThat(TestsOf.of(List.of(source, test)).tests(source)).isEmpty();
  }

  @Test
  void a_test_is_kin_to_what_it_tests_and_to_nothing_else() {
    assertThat(TestsOf.kinship("src/test/java/a/HalvingTest.java"))
        .isEqualTo(TestsOf.kinship("src/main/java/a/Halving.java"))
        .isEqualTo("src/java/a/Halving");
    assertThat(TestsOf.kinship("tool.py")).isEqualTo(TestsOf.kinship("tests/test_tool.py"));
    assertThat(TestsOf.kinship("web/app.js")).isNotEqualTo(TestsOf.kinship("app.js"));
  }
}
