package dev.flyball.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What happens on Ctrl+C and on a polite kill, until it is closed. Java has no public way to be
 * told twice, so this asks for the one that every JVM has; where it is missing, the JVM just ends,
 * as it would have.
 */
final class Interrupts implements AutoCloseable {
  private final Map<Object, Object> before = new LinkedHashMap<>();

  Interrupts(Runnable told) {
    try {
      var handler = Class.forName("sun.misc.SignalHandler");
      var mine =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  told.run();
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
