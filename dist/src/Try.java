import java.util.ArrayList;
import java.util.List;

/** Runs a script of this folder with the Java of the build, which Maven does not tell a shell. */
final class Try {
  private Try() {}

  public static void main(String[] args) throws Exception {
    var command = new ArrayList<>(List.of("sh"));
    command.addAll(List.of(args));
    command.add(System.getProperty("java.home"));
    System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
  }
}
