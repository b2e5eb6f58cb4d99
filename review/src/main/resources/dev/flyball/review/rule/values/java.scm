(variable_declarator name: (identifier) @name value: (_) @value)
(assignment_expression left: (identifier) @name right: (_) @value)
(enhanced_for_statement name: (identifier) @name value: (_) @value)
