"""The grammar of ir_measures: `Name` or `Name(key=value, ...)`, optionally followed by `@value`.

The value after `@` is that of one parameter, the cutoff for most measures.
"""

import ast
from typing import Any

LONGEST = 100


def split_name(name: str) -> tuple[str, dict[str, Any], Any]:
    """Split a name into the name of the measure, its parameters, and the value after `@` (None without `@`).

    Raises
    ------
    ValueError
        The name is not in the grammar.
    """
    try:
        # No name is longer, and the parser runs out of memory on deep nesting.
        node: ast.expr = ast.parse(name.strip() if len(name) <= LONGEST else "", mode="eval").body
        at: Any = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            at = ast.literal_eval(node.right)
            node = node.left
        given: dict[str, Any] = {}
        if isinstance(node, ast.Call) and not node.args:
            for keyword in node.keywords:
                if keyword.arg is None or keyword.arg in given:
                    raise ValueError("a parameter must have a name, and occur once")
                given[keyword.arg] = ast.literal_eval(keyword.value)
            node = node.func
    except (SyntaxError, TypeError, MemoryError, RecursionError) as problem:
        raise ValueError("the name cannot be parsed") from problem
    if not isinstance(node, ast.Name):
        raise ValueError("a measure must be Name, Name(key=value) or Name(key=value)@value")
    return node.id, given, at


def joined_name(name: str, given: dict[str, Any], at: str) -> str:
    """Return the name with its parameters as ir_measures writes it; `at` is the parameter after `@`."""
    listed = ",".join(f"{key}={value!r}" for key, value in given.items() if key != at)
    called = f"{name}({listed})" if listed else name
    return f"{called}@{given[at]}" if at in given else called
