package dev.flyball.walls;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of all modules, without their tests and without what a generator wrote. */
final class Shipped {
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/jmh_generated/"))
          .importPackages("dev.flyball");

  private Shipped() {}

  /** One that somebody named, and not a nested one or the page about a package. */
  static boolean isTopLevel(JavaClass type) {
    return type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
  }
}
