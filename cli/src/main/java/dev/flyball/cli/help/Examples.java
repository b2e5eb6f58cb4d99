package dev.flyball.cli.help;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Lines that somebody could type, which are the first thing in a command's help. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Examples {
  /** Each a command, with two spaces before what it does. */
  String[] value();
}
