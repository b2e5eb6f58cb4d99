package dev.flyball.cli;

import java.lang.reflect.Proxy;

/**
 * What happens on Ctrl+C and on a polite kill. Java has no public way to be told twice, so this
 * asks for the one that every JVM has; where it is missing, the JVM just ends, as it would have.
 */
final class Interrupts {
  private Interrupts() {}

  static void handle(Runnable told) {
    for (var name : new String[] {"INT", "TERM"}) {
      try {
        var signal = Class.forName("sun.misc.Signal");
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
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), mine);
      } catch (ReflectiveOperationException | IllegalArgumentException missing) {
        return;
      }
    }
  }
}
