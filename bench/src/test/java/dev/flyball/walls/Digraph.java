package dev.flyball.walls;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names, and which other names each one uses.
 *
 * @param uses every name, with those that it uses
 */
record Digraph(SortedMap<String, SortedSet<String>> uses) {
  static Digraph of(Set<String> names) {
    var graph = new Digraph(new TreeMap<>());
    names.forEach(name -> graph.uses.put(name, new TreeSet<>()));
    return graph;
  }

  /** Nothing uses itself. */
  void add(String user, String used) {
    if (!user.equals(used)) {
      of(user).add(used);
    }
  }

  Set<String> names() {
    return uses.keySet();
  }

  SortedSet<String> of(String user) {
    var used = uses.get(user);
    if (used == null) {
      throw new IllegalArgumentException("there is no " + user + " in " + uses.keySet());
    }
    return used;
  }

  /** Every name above all that it uses, and 0 for one that uses nothing. */
  Map<String, Integer> heights() {
    var heights = new HashMap<String, Integer>();
    names().forEach(name -> height(name, heights, new HashSet<>()));
    return heights;
  }

  private int height(String name, Map<String, Integer> heights, Set<String> above) {
    if (!above.add(name)) {
      throw new IllegalStateException("a cycle through " + above);
    }
    int height = 0;
    for (String used : of(name)) {
      Integer known = heights.get(used);
      height = Math.max(height, 1 + (known != null ? known : height(used, heights, above)));
    }
    above.remove(name);
    heights.put(name, height);
    return height;
  }

  /** The same order with the fewest arrows: none that follows from others. */
  Digraph reduced() {
    var reduced = Digraph.of(names());
    for (String user : names()) {
      for (String used : of(user)) {
        if (of(user).stream().noneMatch(other -> !other.equals(used) && reaches(other, used))) {
          reduced.add(user, used);
        }
      }
    }
    return reduced;
  }

  private boolean reaches(String from, String to) {
    return from.equals(to) || of(from).stream().anyMatch(next -> reaches(next, to));
  }
}
