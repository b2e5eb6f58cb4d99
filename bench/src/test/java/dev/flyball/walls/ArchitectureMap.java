package dev.flyball.walls;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which modules there are, which packages they have, and who uses whom: read from the classes, so
 * it shows what is and not what somebody remembers.
 *
 * @param modules who uses whom among modules
 * @param packages the same among the packages of each module
 */
record ArchitectureMap(Digraph modules, SortedMap<String, Digraph> packages) {
  private static final String ROOT = "dev.flyball.";

  static ArchitectureMap of(JavaClasses classes, SourceTree sources) {
    var moduleOf = new TreeMap<String, String>();
    for (JavaClass type : classes) {
      String home = type.getPackageName();
      Optional<String> module = sources.moduleOf(home);
      module.ifPresent(known -> moduleOf.put(home, known));
    }
    var packages = new TreeMap<String, Digraph>();
    var names = new TreeMap<String, TreeSet<String>>();
    moduleOf.forEach(
        (home, module) ->
            names.computeIfAbsent(module, any -> new TreeSet<>()).add(shortName(home)));
    names.forEach((module, homes) -> packages.put(module, Digraph.of(homes)));
    var modules = Digraph.of(names.keySet());

    for (JavaClass type : classes) {
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        String from = dependency.getOriginClass().getPackageName();
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        var user = moduleOf.get(from);
        var used = moduleOf.get(to);
        if (user == null || used == null) {
          continue;
        }
        modules.add(user, used);
        var inside = packages.get(user);
        if (user.equals(used) && inside != null) {
          inside.add(shortName(from), shortName(to));
        }
      }
    }
    return new ArchitectureMap(modules, packages);
  }

  private static String shortName(String packageName) {
    return packageName.substring(ROOT.length());
  }

  String svg() {
    return new MapDrawing(this).svg();
  }
}
