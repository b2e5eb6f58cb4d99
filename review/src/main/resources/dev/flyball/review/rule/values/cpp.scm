(init_declarator declarator: (identifier) @name value: (_) @value)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @name) value: (_) @value)
(init_declarator declarator: (array_declarator declarator: (identifier) @name) value: (_) @value)
(assignment_expression left: (identifier) @name right: (_) @value)
