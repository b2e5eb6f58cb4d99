package dev.flyball.cli.screen;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;

/**
 * A signal of the operating system that this process listens to until it is closed. Java has no
 * public way to be told, so this asks for the one that every JVM has; where it is missing, nothing
 * is heard.
 */
public final class HeardSignal implements AutoCloseable {
  private final Object signal;
  private final Object before;

  private HeardSignal(Object signal, Object before) {
    this.signal = signal;
    this.before = before;
  }

  /**
   * Listens from now on, if that is possible.
   *
   * @param name such as {@code INT}
   * @param then runs on a thread of the JVM's each time
   */
  public static Optional<HeardSignal> of(String name, Runnable then) {
    try {
      var handler = Class.forName("sun.misc.SignalHandler");
      var mine =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  then.run();
                }
                return null;
              });
      var signal = Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
      return Optional.of(new HeardSignal(signal, handling().invoke(null, signal, mine)));
    } catch (ReflectiveOperationException | IllegalArgumentException missing) {
      return Optional.empty();
    }
  }

  private static Method handling() throws ReflectiveOperationException {
    return Class.forName("sun.misc.Signal")
        .getMethod(
            "handle", Class.forName("sun.misc.Signal"), Class.forName("sun.misc.SignalHandler"));
  }

  @Override
  public void close() {
    try {
      handling().invoke(null, signal, before);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("it was there a moment ago", impossible);
    }
  }
}
