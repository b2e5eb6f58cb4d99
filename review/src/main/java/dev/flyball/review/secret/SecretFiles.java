package dev.flyball.review.secret;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Files that are there to hold secrets, by their names. */
public final class SecretFiles {
  private static final Set<String> NAMES =
      Set.of(
          ".env",
          ".envrc",
          ".netrc",
          "_netrc",
          ".pgpass",
          "pgpass.conf",
          ".npmrc",
          ".pypirc",
          ".htpasswd",
          ".htdigest",
          ".my.cnf",
          ".mylogin.cnf",
          ".dockercfg",
          ".dockerconfigjson",
          ".git-credentials",
          ".vault-token",
          ".vault_pass",
          ".vault_pass.txt",
          ".vault-pass",
          ".s3cfg",
          ".boto",
          ".terraformrc",
          "terraform.rc",
          ".esmtprc",
          ".msmtprc",
          ".fetchmailrc",
          ".rediscli_auth",
          ".smbcredentials",
          ".databrickscfg",
          ".snowsql",
          ".remote-sync.json",
          "kubeconfig",
          "kube.config",
          "credentials",
          "credentials.json",
          "credentials.yml",
          "credentials.yaml",
          "credentials.xml",
          "credentials.toml",
          "credentials.csv",
          "accesskeys.csv",
          "rootkey.csv",
          "secrets.yml",
          "secrets.yaml",
          "secrets.json",
          "secrets.toml",
          "secrets.env",
          "secret.yml",
          "secret.yaml",
          "secret.json",
          "secrets.properties",
          "secret_token.rb",
          "wp-config.php",
          "master.key",
          "production.key",
          "jenkins.plugins.publish_over_ssh",
          "proftpdpasswd",
          "sftp-config.json",
          "filezilla.xml",
          "recentservers.xml",
          "client_secret.json",
          "client_secrets.json",
          "token.json",
          "keyfile.json",
          "passwords.txt",
          "password.txt",
          "passwords.csv",
          "secring.gpg",
          "id_rsa",
          "id_dsa",
          "id_ecdsa",
          "id_ed25519");

  private static final Set<String> ENDINGS =
      Set.of(
          "pem",
          "key",
          "keystore",
          "jks",
          "ppk",
          "p12",
          "pfx",
          "pkcs12",
          "tfvars",
          "kdbx",
          "kdb",
          "ovpn",
          "jceks",
          "bks",
          "keytab",
          "kubeconfig",
          "agekey",
          "env",
          "envrc",
          "gpgkey",
          "p8");

  /** What a copy of a file adds to its name. */
  private static final Set<String> COPIES =
      Set.of("bak", "old", "orig", "backup", "save", "txt", "b64", "base64", "copy", "swp");

  /** Files that show what goes into another, and hold nothing. */
  private static final Set<String> PATTERNS =
      Set.of("example", "sample", "template", "dist", "tpl", "tmpl", "defaults", "j2", "pub", "md");

  private static final List<String> PLACES =
      List.of(
          ".aws/credentials",
          ".aws/config",
          ".kube/config",
          ".docker/config.json",
          ".m2/settings.xml",
          ".m2/settings-security.xml",
          ".gem/credentials",
          ".cargo/credentials",
          ".cargo/credentials.toml",
          ".config/gh/hosts.yml",
          ".config/gcloud/application_default_credentials.json",
          ".azure/accesstokens.json",
          ".azure/msal_token_cache.json",
          ".bundle/config",
          ".composer/auth.json",
          ".ssh/config",
          ".config/hub",
          ".gnupg/secring.gpg");

  private static final List<String> KEYS = List.of("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519");

  private SecretFiles() {}

  /** Whether a file of this path is there to hold secrets. */
  public static boolean holdsSecrets(String path) {
    var plain = path.toLowerCase(Locale.ROOT).replace('\\', '/');
    var name = plain.substring(plain.lastIndexOf('/') + 1);
    if (PATTERNS.contains(ending(name)) || isPattern(name)) {
      return false;
    }
    return isName(name)
        || PLACES.stream().anyMatch(place -> plain.equals(place) || plain.endsWith("/" + place));
  }

  private static boolean isPattern(String name) {
    for (var part : name.split("[._-]", -1)) {
      if (part.equals("example") || part.equals("sample") || part.equals("template")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isName(String name) {
    if (NAMES.contains(name)
        || name.startsWith(".env.")
        || ENDINGS.contains(ending(name))
        || name.endsWith(".tfvars.json")
        || KEYS.stream().anyMatch(key -> isKey(name, key))
        || isServiceAccount(name)) {
      return true;
    }
    int dot = name.lastIndexOf('.');
    return dot > 0 && COPIES.contains(name.substring(dot + 1)) && isName(name.substring(0, dot));
  }

  private static boolean isKey(String name, String key) {
    return name.startsWith(key)
        && (name.length() == key.length()
            || "._-0123456789".indexOf(name.charAt(key.length())) >= 0);
  }

  private static boolean isServiceAccount(String name) {
    return name.endsWith(".json")
        && (name.startsWith("service-account")
            || name.startsWith("serviceaccount")
            || name.startsWith("service_account")
            || name.startsWith("gcp-key")
            || name.startsWith("firebase-adminsdk"));
  }

  private static String ending(String name) {
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot + 1);
  }
}
