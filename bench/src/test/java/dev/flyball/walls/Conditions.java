package dev.flyball.walls;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What walls ask of classes and ArchUnit has no words for. */
final class Conditions {
  private static final List<String> PACKAGES_OF_THE_JDK =
      List.of("java.lang", "java.util", "java.io");

  private Conditions() {}

  /** ArchUnit sees synchronized methods but not synchronized blocks; those are in the bytecode. */
  static ArchCondition<JavaClass> takeNoMonitor() {
    return new ArchCondition<>("take no monitor") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        bytecode(type)
            .accept(
                new ClassVisitor(Opcodes.ASM9) {
                  @Override
                  public MethodVisitor visitMethod(
                      int access, String name, String types, String generics, String[] thrown) {
                    if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                      report(name);
                    }
                    return new MethodVisitor(Opcodes.ASM9) {
                      @Override
                      public void visitInsn(int opcode) {
                        if (opcode == Opcodes.MONITORENTER) {
                          report(name);
                        }
                      }
                    };
                  }

                  private void report(String method) {
                    events.add(violated(type, type.getName() + "." + method + " is synchronized"));
                  }
                },
                ClassReader.SKIP_DEBUG);
      }
    };
  }

  static ArchCondition<JavaClass> shareNoName() {
    return new Together("share no simple name", JavaClass::getSimpleName) {
      @Override
      void check(String name, List<String> types, ConditionEvents events) {
        if (types.size() > 1) {
          events.add(violated(name, name + " is the name of " + String.join(" and ", types)));
        }
      }
    };
  }

  static ArchCondition<JavaClass> haveFewNeighbours(int most) {
    return new Together("be at most " + most + " to a package", JavaClass::getPackageName) {
      @Override
      void check(String packageName, List<String> types, ConditionEvents events) {
        if (types.size() > most) {
          events.add(
              violated(
                  packageName,
                  packageName + " has " + types.size() + " types: " + String.join(", ", types)));
        }
      }
    };
  }

  static ArchCondition<JavaClass> haveNoNameOfTheJdk() {
    Set<String> taken = namesOfTheJdk();
    return new ArchCondition<>("have no name of " + String.join(", ", PACKAGES_OF_THE_JDK)) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (taken.contains(type.getSimpleName())) {
          events.add(violated(type, type.getName() + " has a name of the JDK"));
        }
      }
    };
  }

  static ArchCondition<JavaClass> haveFewComponents(int most) {
    return new ArchCondition<>("have at most " + most + " components if they are records") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        long components = components(type);
        if (components > most) {
          events.add(violated(type, type.getName() + " has " + components + " components"));
        }
      }
    };
  }

  /** How many components a record has; none if it is not a record. */
  static long components(JavaClass type) {
    return type.isRecord()
        ? type.getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .count()
        : 0;
  }

  /** The public types of the JDK that runs this, so of the newest one that compiles us. */
  private static Set<String> namesOfTheJdk() {
    Path base = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base");
    return PACKAGES_OF_THE_JDK.stream()
        .flatMap(name -> publicTypes(base.resolve(name.replace('.', '/')), name).stream())
        .collect(toSet());
  }

  private static List<String> publicTypes(Path folder, String packageName) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".class") && !file.contains("$"))
          .map(file -> file.substring(0, file.length() - ".class".length()))
          .filter(type -> !type.contains("-") && isPublic(packageName + "." + type))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isPublic(String type) {
    try {
      return Modifier.isPublic(
          Class.forName(type, false, ClassLoader.getPlatformClassLoader()).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the JDK lists " + type + " and has it not", e);
    }
  }

  private static ClassReader bytecode(JavaClass type) {
    try (InputStream in = type.getSource().orElseThrow().getUri().toURL().openStream()) {
      return new ClassReader(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A condition of types that have something in common. */
  private abstract static class Together extends ArchCondition<JavaClass> {
    private final Function<JavaClass, String> common;
    private Map<String, List<String>> types = Map.of();

    Together(String description, Function<JavaClass, String> common) {
      super(description);
      this.common = common;
    }

    abstract void check(String inCommon, List<String> types, ConditionEvents events);

    @Override
    public void init(Collection<JavaClass> all) {
      types =
          all.stream()
              .sorted((one, other) -> one.getName().compareTo(other.getName()))
              .collect(groupingBy(common, TreeMap::new, mapping(JavaClass::getName, toList())));
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {}

    @Override
    public void finish(ConditionEvents events) {
      types.forEach((inCommon, together) -> check(inCommon, together, events));
    }
  }
}
