package dev.flyball.review.secret;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretFilesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        ".env",
        ".ENV",
        "a/.env.production",
        ".envrc",
        "prod.env",
        "deploy/terraform.tfvars",
        "x.auto.tfvars.json",
        "kubeconfig",
        "home/.kube/config",
        ".docker/config.json",
        ".dockercfg",
        "config/secrets.yml",
        "secrets.yaml",
        "id_rsa",
        "id_rsa.bak",
        "keys/id_ed25519_deploy",
        "server.pem",
        "server.pem.txt",
        "x.p12.b64",
        ".vault-token",
        ".m2/settings.xml",
        ".npmrc",
        "wp-config.php",
        ".pgpass",
        ".htpasswd",
        ".aws/credentials",
        "config/master.key",
        "service-account-prod.json",
        "release.keystore",
        ".git-credentials",
        "a.kdbx",
        "auth.p8"
      })
  void a_file_that_is_there_to_hold_secrets_is_known_by_its_name(String path) {
    assertThat(SecretFiles.holdsSecrets(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        "example.env",
        "id_rsa.pub",
        "application.properties",
        "settings.xml",
        "config.json",
        "config",
        "src/Secrets.java",
        "secrets.py",
        "credentials.go",
        "keys.ts",
        "key.go",
        "environment.ts",
        "env.py",
        "docs/secrets.md",
        "terraform.tf",
        "token.go",
        "password.rb",
        "id_rsa_test.go.md",
        "terraform.tfvars.example",
        "keyboard.json",
        "monkey.txt",
        "package.json"
      })
  void ordinary_files_are_not(String path) {
    assertThat(SecretFiles.holdsSecrets(path)).isFalse();
  }
}
