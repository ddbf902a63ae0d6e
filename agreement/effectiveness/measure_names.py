"""The grammar of ir_measures: `Name`, `Name(key=value, ...)`, each perhaps with `@value`.

What stands behind `@` is the value of one parameter, the cutoff for most measures.
"""

import ast
from typing import Any

LONGEST = 100


def split_name(name: str) -> tuple[str, dict[str, Any], Any]:
    """The parts of a name: the measure's, its parameters, and what stands behind `@` (None where nothing does).

    Raises
    ------
    ValueError
        The name is not in the grammar.
    """
    try:
        # What is longer is no name, and the parser runs out of memory on deep nesting.
        node = ast.parse(name.strip() if len(name) <= LONGEST else "", mode="eval").body
        at = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            node, at = node.left, ast.literal_eval(node.right)
        given = {}
        if isinstance(node, ast.Call) and not node.args:
            for keyword in node.keywords:
                if keyword.arg is None or keyword.arg in given:
                    raise ValueError("a parameter has a name, and comes once")
                given[keyword.arg] = ast.literal_eval(keyword.value)
            node = node.func
    except (SyntaxError, TypeError, MemoryError, RecursionError) as problem:
        raise ValueError("this is no name") from problem
    if not isinstance(node, ast.Name):
        raise ValueError("a measure is Name, Name(key=value) or Name(key=value)@value")
    return node.id, given, at


def joined_name(name: str, given: dict[str, Any], at: str) -> str:
    """The name with its parameters, as ir_measures writes it; `at` is the parameter that stands behind `@`."""
    said = ",".join(f"{key}={value!r}" for key, value in given.items() if key != at)
    called = f"{name}({said})" if said else name
    return f"{called}@{given[at]}" if at in given else called
