(variable_declarator name: (identifier) @name (_) @value)
(assignment_expression left: (identifier) @name right: (_) @value)
(foreach_statement left: (identifier) @name right: (_) @value)
