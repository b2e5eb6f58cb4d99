package dev.flyball.review.select;

import dev.flyball.review.secret.SecretFiles;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The signs in the path and the first bytes of a file that tell where it came from. */
final class FileClassifier {
  /** As many first bytes as are looked at. */
  static final int HEAD = 8000;

  private static final int GENERATED_LINES = 40;
  private static final int LONG_LINE = 2000;
  private static final int MEAN_LINE = 400;

  /** Of so many bytes of a text at most one is a control character. */
  private static final int ODD = 20;

  /** Folders that are never one's own code, wherever they are. */
  private static final Set<String> VENDORED_FOLDERS =
      Set.of(
          "node_modules",
          "bower_components",
          "jspm_packages",
          "third_party",
          "third-party",
          "thirdparty",
          "godeps",
          "pods",
          "carthage",
          "site-packages",
          "__pycache__",
          "__pypackages__",
          ".venv",
          "venv",
          ".tox",
          ".nox",
          ".eggs",
          ".gradle",
          ".terraform",
          ".next",
          ".nuxt",
          ".svelte-kit",
          ".parcel-cache",
          ".turbo",
          ".yarn",
          ".pnpm-store",
          ".mypy_cache",
          ".pytest_cache",
          ".ruff_cache",
          ".cache",
          ".dart_tool",
          "deriveddata",
          ".bundle");

  /** Folders that are so unless they are part of the sources: packages have such names too. */
  private static final Set<String> BUILD_FOLDERS =
      Set.of("vendor", "vendors", "dist", "build", "target", "out", "obj");

  private static final Set<String> SOURCE_FOLDERS =
      Set.of("src", "source", "sources", "internal", "pkg", "cmd");

  private static final Set<String> LOCK_FILES =
      Set.of(
          "package-lock.json",
          "npm-shrinkwrap.json",
          "yarn.lock",
          "pnpm-lock.yaml",
          "bun.lock",
          "bun.lockb",
          "deno.lock",
          "cargo.lock",
          "gemfile.lock",
          "poetry.lock",
          "pipfile.lock",
          "uv.lock",
          "pdm.lock",
          "conda-lock.yml",
          "composer.lock",
          "go.sum",
          "go.work.sum",
          "mix.lock",
          "pubspec.lock",
          "packages.lock.json",
          "project.assets.json",
          "paket.lock",
          "flake.lock",
          "podfile.lock",
          "cartfile.resolved",
          "package.resolved",
          "gradle.lockfile",
          "buildscript-gradle.lockfile",
          ".terraform.lock.hcl",
          "module.bazel.lock",
          "chart.lock",
          "stack.yaml.lock",
          "rebar.lock",
          "shard.lock",
          "gopkg.lock",
          "cabal.project.freeze");

  private static final Set<String> BINARY_EXTENSIONS =
      Set.of(
          "png",
          "jpg",
          "jpeg",
          "gif",
          "bmp",
          "ico",
          "icns",
          "webp",
          "avif",
          "tif",
          "tiff",
          "psd",
          "pdf",
          "zip",
          "gz",
          "tgz",
          "bz2",
          "xz",
          "zst",
          "7z",
          "rar",
          "tar",
          "jar",
          "war",
          "ear",
          "class",
          "dex",
          "apk",
          "aar",
          "exe",
          "dll",
          "so",
          "dylib",
          "a",
          "o",
          "lib",
          "pdb",
          "wasm",
          "pyc",
          "pyo",
          "whl",
          "egg",
          "woff",
          "woff2",
          "ttf",
          "otf",
          "eot",
          "mp3",
          "mp4",
          "wav",
          "ogg",
          "flac",
          "avi",
          "mov",
          "mkv",
          "webm",
          "doc",
          "docx",
          "xls",
          "xlsx",
          "ppt",
          "pptx",
          "odt",
          "sqlite",
          "db",
          "parquet",
          "npy",
          "npz",
          "pkl",
          "pt",
          "onnx",
          "bin",
          "dat",
          "iso",
          "dmg",
          "deb",
          "rpm",
          "nupkg",
          "keystore",
          "jks",
          "p12");

  private static final Pattern GENERATED_NAME =
      Pattern.compile(
          "(?i).*(\\.pb\\.(go|cc|h|swift)|_pb2(_grpc)?\\.pyi?|_pb\\.(js|ts|d\\.ts)|_grpc\\.pb\\.go"
              + "|\\.(g|freezed|mocks)\\.dart|\\.(g|designer)\\.(i\\.)?cs|[._-]generated\\.\\w+"
              + "|\\.gen\\.\\w+|_gen\\.go|\\.(js|css|mjs|cjs|ts)\\.map|\\.snap|\\.tfstate|\\.sarif)"
              + "|(?i)zz_generated\\..*");

  private static final Pattern MINIFIED_NAME =
      Pattern.compile("(?i).*[.-]min\\.(js|mjs|cjs|css|html?)");

  /** What begins a comment, and what ends one, around its words. */
  private static final Pattern COMMENT =
      Pattern.compile(
          "[ \\t]{0,200}(?://+!?|/\\*+|\\*|#+|--+|;+|<!--|%+|'|\"\"\"|\\(\\*|\\{-|(?i:rem)"
              + " )[ \\t]{0,20}(.{1,500}?)[ \\t]{0,20}(?:\\*+/|-->|\\*\\)|-\\})?[ \\t\\r]{0,20}");

  /** The sentences that generators write, each alone in its comment. */
  private static final Pattern GENERATED =
      Pattern.compile(
          "(?i:Code generated .{1,200} DO NOT EDIT\\.?"
              + "|Generated by the protocol buffer compiler\\. {1,2}DO NOT EDIT!"
              + "|<auto-?generated[ /]{0,2}>"
              + "|(?:This (?:file|code|class) (?:is|was|has been) )?auto(?:matically"
              + " |-| )?generated(?: file)?(?: (?:by|from|with) .{1,100}?)?[.,;:!]?(?: -+)?(?:"
              + " (?:please )?do not (?:edit|modify|change)(?: (?:it|this file))?(?: (?:by"
              + " hand|manually|directly))?[.!]?)?)"
              + "|@generated(?: SignedSource<<[0-9a-f]{32}>>| by [\\w@/. -]{1,80})?"
              + "|This file is automatically @generated by .{1,80}"
              + "|Generated By:(?:JJTree&)?(?:JavaCC|JJTree): Do not edit this line\\..{0,200}"
              + "|Generated from .{1,200} by ANTLR .{1,40}");

  /** A review's report is no part of what the next review looks at. */
  private static final Pattern REPORT =
      Pattern.compile(
          "\\{\\s*\"verdict\"\\s*:\\s*\"\\w+\",\\s*\"mode\"\\s*:|## [\\x80-\\xff]{1,16} Flyball: ");

  private static final Pattern GENERATED_MARK =
      Pattern.compile(
          "@(javax\\.annotation\\.(processing\\.)?|jakarta\\.annotation\\.)?Generated\\b.*");

  private FileClassifier() {}

  /** Whether a folder of this path, or one that it is in, is not one's own code. */
  static boolean isVendored(String folder) {
    boolean sources = false;
    for (int from = 0; from < folder.length(); ) {
      int slash = folder.indexOf('/', from);
      int to = slash < 0 ? folder.length() : slash;
      var name = folder.substring(from, to).toLowerCase(Locale.ROOT);
      if (VENDORED_FOLDERS.contains(name) || (!sources && BUILD_FOLDERS.contains(name))) {
        return true;
      }
      sources |= SOURCE_FOLDERS.contains(name);
      from = to + 1;
    }
    return false;
  }

  /** Whether a name, in small letters, is that of a list of versions that a program wrote. */
  static boolean isLockFile(String name) {
    return LOCK_FILES.contains(name) || (name.startsWith("gemfile") && name.endsWith(".lock"));
  }

  /** What the name alone tells. */
  static Optional<SkipReason> ofName(String path) {
    var name = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
    if (isLockFile(name)) {
      return Optional.of(SkipReason.LOCK_FILE);
    }
    if (SecretFiles.holdsSecrets(path)) {
      return Optional.of(SkipReason.SECRET);
    }
    if (BINARY_EXTENSIONS.contains(name.substring(name.lastIndexOf('.') + 1))
        && name.indexOf('.') >= 0) {
      return Optional.of(SkipReason.BINARY);
    }
    if (name.length() < 300 && MINIFIED_NAME.matcher(name).matches()) {
      return Optional.of(SkipReason.MINIFIED);
    }
    return name.length() < 300 && GENERATED_NAME.matcher(name).matches()
        ? Optional.of(SkipReason.GENERATED)
        : Optional.empty();
  }

  /** What the first bytes tell. */
  static Optional<SkipReason> ofHead(byte[] head) {
    for (byte each : head) {
      if (each == 0) {
        return Optional.of(SkipReason.BINARY);
      }
    }
    var text = new String(head, StandardCharsets.ISO_8859_1);
    if (isGenerated(head) || REPORT.matcher(text).lookingAt()) {
      return Optional.of(SkipReason.GENERATED);
    }
    return isMinified(text) ? Optional.of(SkipReason.MINIFIED) : Optional.empty();
  }

  /**
   * Whether the first bytes of what is source by its name are no text in any encoding. A byte that
   * no text has is not enough: one in a string would hide all the rest.
   */
  static boolean isGarbage(byte[] head) {
    int odd = 0;
    for (byte each : head) {
      odd += each >= 0 && each < ' ' && "\t\n\r\f\b\u001b".indexOf(each) < 0 ? 1 : 0;
    }
    return odd > head.length / ODD;
  }

  /** Whether one of the first lines is the mark of a generator. */
  static boolean isGenerated(byte[] head) {
    return new String(head, StandardCharsets.ISO_8859_1)
        .lines()
        .limit(GENERATED_LINES)
        .filter(line -> line.length() < LONG_LINE && maySayGenerated(line))
        .anyMatch(FileClassifier::saysGenerated);
  }

  private static boolean saysGenerated(String line) {
    var comment = COMMENT.matcher(line);
    return GENERATED_MARK.matcher(line).lookingAt()
        || (comment.matches() && GENERATED.matcher(comment.group(1)).matches());
  }

  /** Most lines do not even have these letters, and need no pattern. */
  private static boolean maySayGenerated(String line) {
    return line.contains("enerated") || line.contains("ENERATED");
  }

  private static boolean isMinified(String text) {
    int lines = 1;
    int longest = 0;
    int current = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        lines++;
        current = 0;
      } else {
        longest = Math.max(longest, ++current);
      }
    }
    return longest >= LONG_LINE && text.length() / lines >= MEAN_LINE;
  }
}
