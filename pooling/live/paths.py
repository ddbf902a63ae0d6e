"""Where values stand in an answer: a JMESPath of fields, indexes, slices and lists.

Functions and lists of expressions are refused: `to_string([@, @])`, repeated, makes a small answer fill the memory.
The time is linear in the answer for each part of a path.
"""

from functools import lru_cache
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError

MAX_LENGTH = 200
ALLOWED = frozenset(
    (
        "field",
        "subexpression",
        "index",
        "index_expression",
        "projection",
        "slice",
        "flatten",
        "identity",
        "or_expression",
    )
)


@lru_cache(maxsize=200)
def compiled(path: str) -> Any:
    """Return the parsed path. Raises ValueError if it is invalid or not allowed.

    Examples
    --------
    >>> compiled("hits.hits").search({"hits": {"hits": [1]}})
    [1]
    """
    if len(path) > MAX_LENGTH:
        raise ValueError(f"A path must have at most {MAX_LENGTH} characters, not {len(path):,}.")
    try:
        parsed = jmespath.compile(path)
    except (JMESPathError, RecursionError, ValueError):
        raise ValueError(f"{path!r} is no path; a path names fields, as in data.hits or fields.title[0].") from None
    if forbidden := sorted(_kinds(parsed.parsed) - ALLOWED):
        raise ValueError(
            f"The path {path!r} has a {forbidden[0].replace('_', ' ')}; allowed are fields, indexes, slices, lists, ||."
        )
    return parsed


def value_at(path: str, document: Any) -> Any:
    """Return what stands at a path, or None. The path "@" is the whole document."""
    return compiled(path).search(document)


def _kinds(node: Any) -> set[str]:
    return {node["type"]}.union(*map(_kinds, (child for child in node["children"] if isinstance(child, dict))))
