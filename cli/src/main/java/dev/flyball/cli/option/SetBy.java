package dev.flyball.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Who may set an option in a file. The user may set each; a project, whose file a stranger may have
 * written, only those that tune a run and cannot say where anything goes, what is asked about, or
 * that it is agreed to. An option without this mark is the user's.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface SetBy {
  Who value();

  /** Whether a project may give plain words alone, because more of a value is a path. */
  boolean words() default false;

  /** Somebody with a file of settings. */
  enum Who {
    /** Whoever wrote {@code flyball.yaml}. */
    PROJECT,
    /** Whoever runs the command. */
    USER,
    /** Whoever types it: no file and no variable sets what is meant for one run. */
    FLAG
  }
}
