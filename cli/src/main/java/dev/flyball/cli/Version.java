package dev.flyball.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says: this build, and the Java that it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      build.load(in);
    }
    return new String[] {
      "flyball " + build.getProperty("version") + " (Java " + Runtime.version() + ")"
    };
  }
}
