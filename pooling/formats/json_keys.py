"""The keys of the first object of a JSON file, also if the file was cut."""

import re
from itertools import pairwise

# Possessive, so that an unfinished text is passed over once.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[{}\[\]:]', re.DOTALL)


def first_keys(text: str) -> list[str]:
    """The keys of the first object: of the file, or of the array that the file contains. Escapes are not decoded."""
    keys: list[str] = []
    depth = 0
    inside = 2 if text.lstrip("\ufeff \t\r\n").startswith("[") else 1
    parts = (match.group() for match in TOKEN.finditer(text))
    for part, following in pairwise([*parts, ""]):
        if part in "{[":
            depth += 1
        elif part in "}]":
            depth -= 1
            if depth < inside and keys:
                break
        elif depth == inside and following == ":" and part.startswith('"'):
            keys.append(part[1:-1])
    return keys
