"""Lists every function of a folder of Python, by the ast module: "path:line" a line. Usage: python.py FOLDER"""
import ast
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
for path in sorted(root.rglob("*.py")):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            print(f"{path.relative_to(root)}:{node.lineno}")
