(property_declaration (variable_declaration (simple_identifier) @name) (_) @value .)
(assignment (directly_assignable_expression (simple_identifier) @name) (_) @value .)
