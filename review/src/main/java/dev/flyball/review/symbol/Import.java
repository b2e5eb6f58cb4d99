package dev.flyball.review.symbol;

import java.util.List;

/**
 * A use of code from elsewhere: a module, and the names out of it; none if it takes the whole and a
 * star if it takes all that there is.
 */
public record Import(String module, List<String> names) {
  public Import {
    names = List.copyOf(names);
  }
}
