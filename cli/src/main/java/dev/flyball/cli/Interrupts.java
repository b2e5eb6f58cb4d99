package dev.flyball.cli;

import dev.flyball.run.ExitCode;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The answer to Ctrl+C and to a polite kill, until it is closed: the first ends a run in order, the
 * second at once. Java has no public way to be told twice, so this asks for the one that every JVM
 * has; where it is missing, the JVM just ends, as it would have.
 */
final class Interrupts implements AutoCloseable {
  private final Map<Object, Object> before = new LinkedHashMap<>();

  /**
   * Listens from now on.
   *
   * @param first ends the run in order, however long what is in flight takes
   * @param told the same after a polite kill, whose sender does not wait for ever
   * @param second says a last word before all ends
   */
  Interrupts(Runnable first, Runnable told, Runnable second) {
    var again = new AtomicBoolean();
    Consumer<Object> handling =
        signal -> {
          if (again.getAndSet(true)) {
            second.run();
            Runtime.getRuntime().halt(ExitCode.ABORTED.code());
          }
          (signal.toString().endsWith("TERM") ? told : first).run();
        };
    try {
      var handler = Class.forName("sun.misc.SignalHandler");
      var mine =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  handling.accept(arguments[0]);
                }
                return null;
              });
      for (var name : new String[] {"INT", "TERM"}) {
        var signal =
            Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
        before.put(signal, handling().invoke(null, signal, mine));
      }
    } catch (ReflectiveOperationException | IllegalArgumentException missing) {
      before.clear();
    }
  }

  private static Method handling() throws ReflectiveOperationException {
    return Class.forName("sun.misc.Signal")
        .getMethod(
            "handle", Class.forName("sun.misc.Signal"), Class.forName("sun.misc.SignalHandler"));
  }

  @Override
  public void close() {
    before.forEach(
        (signal, handler) -> {
          try {
            handling().invoke(null, signal, handler);
          } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("it was there a moment ago", impossible);
          }
        });
  }
}
