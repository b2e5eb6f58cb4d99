package dev.flyball.cli.screen;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The answer to {@code --version}: this build, and the Java that it runs on. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {words()};
  }

  public static String words() {
    return "flyball " + number() + " (Java " + Runtime.version() + ")";
  }

  /** Of this build, such as {@code 0.1.0}. */
  public static String number() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      build.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version");
  }
}
