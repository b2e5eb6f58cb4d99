package dev.flyball.review.symbol;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The meaning of the nodes of each grammar, a line each: the type of the node, what it is, and the
 * field that has its name where that is not {@code name}.
 */
final class GrammarTables {
  private static final String JAVA =
      """
      program enter
      class_body enter
      interface_body enter
      enum_body enter
      enum_body_declarations enter
      annotation_type_body enter
      import_declaration takes
      class_declaration class
      record_declaration record
      enum_declaration enum
      interface_declaration interface
      annotation_type_declaration type
      method_declaration method
      annotation_type_element_declaration method
      constructor_declaration constructor
      compact_constructor_declaration constructor
      field_declaration lead
      constant_declaration lead
      variable_declarator variable
      """;

  private static final String PYTHON =
      """
      module enter
      block enter
      expression_statement lead
      decorated_definition lead
      import_statement takes
      import_from_statement takes
      future_import_statement takes
      function_definition function
      class_definition class
      assignment variable left
      type_alias_statement type left
      """;

  private static final String SCRIPT =
      """
      program enter
      class_body enter
      class enter
      export_statement lead
      lexical_declaration lead
      variable_declaration lead
      decorator mark
      import_statement takes
      function_declaration function
      generator_function_declaration function
      class_declaration class
      method_definition method
      field_definition variable property
      variable_declarator variable
      assignment_expression binds left right
      pair binds key value
      """;

  private static final String TYPED =
      SCRIPT
          + """
          ambient_declaration lead
          statement_block enter
          function_signature function
          abstract_class_declaration class
          abstract_method_signature method
          public_field_definition variable
          interface_declaration interface
          type_alias_declaration type
          enum_declaration enum
          internal_module type
          module type
          """;

  private static final String GO =
      """
      source_file enter
      import_declaration takes
      type_declaration lead
      const_declaration enter
      var_declaration enter
      var_spec_list enter
      function_declaration function
      method_declaration method
      type_spec type
      type_alias type
      const_spec constant
      var_spec variable
      """;

  private static final String RUST =
      """
      source_file enter
      declaration_list enter
      mod_item enter
      attribute_item mark
      use_declaration takes
      impl_item extends type
      function_item function
      function_signature_item function
      macro_definition function
      struct_item type
      union_item type
      trait_item type
      type_item type
      enum_item enum
      const_item constant
      static_item variable
      """;

  private static final String C =
      """
      translation_unit enter
      preproc_if enter
      preproc_ifdef enter
      preproc_else enter
      preproc_elif enter
      linkage_specification enter
      declaration_list enter
      preproc_include takes
      preproc_def constant
      preproc_function_def function
      function_definition function declarator
      type_definition type declarator
      declaration variable declarator
      struct_specifier type
      union_specifier type
      enum_specifier enum
      """;

  private static final String CPP =
      C
          + """
          namespace_definition enter
          field_declaration_list enter
          template_declaration lead
          field_declaration variable declarator
          class_specifier class
          alias_declaration type
          using_declaration takes
          """;

  private static final String C_SHARP =
      """
      compilation_unit enter
      namespace_declaration enter
      file_scoped_namespace_declaration enter
      declaration_list enter
      using_directive takes
      class_declaration class
      struct_declaration type
      delegate_declaration type
      interface_declaration interface
      record_declaration record
      enum_declaration enum
      method_declaration method
      constructor_declaration constructor
      local_function_statement function
      property_declaration variable
      field_declaration lead
      event_field_declaration lead
      variable_declaration lead
      variable_declarator variable
      """;

  private static final String KOTLIN =
      """
      source_file enter
      import_list enter
      class_body enter
      enum_class_body enter
      companion_object enter
      import_header takes
      class_declaration class -
      object_declaration class -
      function_declaration function -
      type_alias type -
      property_declaration lead
      variable_declaration variable -
      """;

  private GrammarTables() {}

  static Map<String, NodeRule> of(Language language) {
    String table =
        switch (language) {
          case JAVA -> JAVA;
          case PYTHON -> PYTHON;
          case JAVASCRIPT -> SCRIPT;
          case TYPESCRIPT, TSX -> TYPED;
          case GO -> GO;
          case RUST -> RUST;
          case C -> C;
          case CPP -> CPP;
          case C_SHARP -> C_SHARP;
          case KOTLIN -> KOTLIN;
        };
    Map<String, NodeRule> rules = new HashMap<>();
    rules.put("ERROR", new NodeRule.Enter());
    table.lines().forEach(line -> add(line.split(" ", -1), rules));
    return rules;
  }

  private static void add(String[] line, Map<String, NodeRule> rules) {
    String field = line.length < 3 ? "name" : line[2].replace("-", "");
    rules.put(
        line[0],
        switch (line[1]) {
          case "enter" -> new NodeRule.Enter();
          case "lead" -> new NodeRule.Lead();
          case "mark" -> new NodeRule.Mark();
          case "takes" -> new NodeRule.Takes();
          case "binds" -> new NodeRule.Binds(field, line[3]);
          case "extends" -> new NodeRule.Extends(field);
          default ->
              new NodeRule.Declares(SymbolKind.valueOf(line[1].toUpperCase(Locale.ROOT)), field);
        });
  }

  /** The meaning of a kind of node in a syntax tree for the outline. */
  sealed interface NodeRule {
    /** Symbols are among its children. */
    record Enter() implements NodeRule {}

    /** Symbols are among its children, and begin where it begins. */
    record Lead() implements NodeRule {}

    /** Belongs to the symbol that follows. */
    record Mark() implements NodeRule {}

    /** Takes something from elsewhere. */
    record Takes() implements NodeRule {}

    /** Adds members to a type that is declared elsewhere and named in a field. */
    record Extends(String field) implements NodeRule {}

    /**
     * Binds a value to something that has a name, and declares a symbol if that value is a function
     * or a class.
     *
     * @param target the field of what it is bound to
     * @param value the field of the value
     */
    record Binds(String target, String value) implements NodeRule {}

    /**
     * Declares a symbol.
     *
     * @param field where its name is; empty if that has no field and is the first name in it
     */
    record Declares(SymbolKind kind, String field) implements NodeRule {}
  }
}
