package dev.flyball.review.select;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The files that a program is made of, by their names: source in any language that is looked at
 * here or that is widely run, and what builds, ships or configures it. A change of such a file is
 * reviewed, or the review is not complete.
 */
public final class SourceFiles {
  private static final Set<String> EXTENSIONS =
      words(
          // The languages that have an outline or a check here.
          "java kt kts py pyi js mjs cjs jsx ts mts cts tsx go rs c h cpp cc cxx hpp hh hxx cs",
          "rb swift scala php",
          // Others that are run or compiled.
          "pyw pyx pxd ipynb inl ipp tpp m mm cu cl f f90 for asm s ada adb ads pas d nim zig v",
          "vb fs fsx fsi groovy gvy clj cljs cljc edn ex exs erl hrl hs lhs ml mli elm purs dart",
          "lua r jl pl pm t tcl raku cr sol vy move rkt scm lisp el sql psql plsql wat abap cob",
          "coffee ls as hx awk sed",
          // What a browser or a template engine runs.
          "html htm xhtml vue svelte astro mdx jsp jspx asp aspx ascx cshtml razor erb haml slim",
          "ejs hbs mustache pug jade twig liquid ftl vm j2 jinja tmpl tpl gotmpl css scss sass",
          "less styl",
          // Scripts.
          "sh bash zsh fish ksh csh bat cmd ps1 psm1 psd1 vbs wsf applescript nu",
          // What builds, ships and configures.
          "gradle cmake mk mak ninja bzl bazel star sbt proto thrift graphql gql avdl idl wsdl",
          "tf tfvars hcl nomad bicep pp nix dhall cue jsonnet libsonnet rego service timer socket",
          "yaml yml toml xml xsl xslt csproj vbproj fsproj props targets sln vcxproj gemspec",
          "podspec cabal nimble rockspec spec rules conf cfg ini properties pro pri plist",
          "desktop reg inf iss nsi");

  private static final Set<String> NAMES =
      words(
          "makefile gnumakefile bsdmakefile justfile dockerfile containerfile vagrantfile"
              + " jenkinsfile",
          "rakefile gemfile guardfile podfile cartfile fastfile appfile brewfile procfile"
              + " earthfile",
          "tiltfile caddyfile snapcraft buildfile build workspace meson.build build.ninja pom.xml",
          "package.json composer.json bower.json lerna.json nx.json turbo.json deno.json"
              + " deno.jsonc",
          "jsconfig.json cargo.toml go.mod go.work setup.py setup.cfg pyproject.toml pipfile",
          "requirements.txt constraints.txt configure configure.ac makefile.am makefile.in",
          "cmakelists.txt sconstruct sconscript wscript rebar.config mix.exs crontab .gitmodules",
          ".gitattributes .gitignore .dockerignore .bashrc .profile .bash_profile .zshrc .envrc",
          ".babelrc .eslintrc .prettierrc .mocharc .nycrc .pre-commit-config.yaml .htaccess",
          "nginx.conf codeowners sudoers authorized_keys hosts.allow gradlew mvnw"
              + " devcontainer.json",
          "firebase.json vercel.json netlify.toml now.json app.json manifest.json angular.json");

  /** Of names that begin like these there are several: a Dockerfile for each purpose, say. */
  private static final List<String> BEGINNINGS =
      List.of(
          "dockerfile.",
          "containerfile.",
          "makefile.",
          "jenkinsfile.",
          "requirements",
          "tsconfig",
          ".eslintrc",
          ".babelrc");

  /** Folders all of whose files are run by something. */
  private static final List<String> FOLDERS =
      List.of(
          ".github/workflows/",
          ".github/actions/",
          ".circleci/",
          ".gitlab/",
          ".buildkite/",
          ".husky/",
          ".githooks/",
          ".devcontainer/",
          ".vscode/",
          ".idea/",
          "debian/");

  private SourceFiles() {}

  /** Whether a path names one. Lock files are none: programs write them. */
  public static boolean isSource(String path) {
    var lower = path.toLowerCase(Locale.ROOT);
    var name = lower.substring(lower.lastIndexOf('/') + 1);
    if (FileClassifier.isLockFile(name)) {
      return false;
    }
    int dot = name.lastIndexOf('.');
    return (dot >= 0 && EXTENSIONS.contains(name.substring(dot + 1)))
        || NAMES.contains(name)
        || BEGINNINGS.stream().anyMatch(name::startsWith)
        || FOLDERS.stream().anyMatch(folder -> ("/" + lower).contains("/" + folder));
  }

  /** Whether a file that begins so names the program that runs it. */
  static boolean isScript(byte[] head) {
    return head.length > 2 && head[0] == '#' && head[1] == '!';
  }

  private static Set<String> words(String... lines) {
    return Set.of(String.join(" ", lines).split(" "));
  }
}
