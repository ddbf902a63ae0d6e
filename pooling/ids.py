"""The rule for ids: of a topic (query_id), of a document (doc_id), and the name of a system.

An id has 1 to 512 bytes of UTF-8, without ASCII white space and without control characters (U+0000 to U+001F and
U+007F to U+009F). Every other character is allowed and kept, the no-break space included. Two ids are equal if their
bytes are equal. The length limit keeps an id, and a pair of ids, within what a database can index.
"""

import re
from numbers import Integral

from pooling.errors import refuse_unless

MAX_ID_BYTES = 512
ALLOWED_ID = f"an id is 1 to {MAX_ID_BYTES} bytes of UTF-8 without white space and control characters"

CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def id_problem(text: str) -> str | None:
    """Explain why a text is not allowed as an id.

    Parameters
    ----------
    text : str
        A query_id, a doc_id or the name of a system.

    Returns
    -------
    str or None
        The problem, to be read after the name of the id ("query_id 'a b' contains white space"); None if `text` is
        a valid id. `ALLOWED_ID` states the rule.

    Examples
    --------
    >>> from pooling import id_problem
    >>> id_problem("a b")
    'contains white space'
    >>> id_problem("FT911-3") is None
    True
    """
    refuse_unless(text, str, "An id", "a string")
    if not text:
        return "is empty"
    if " " in text:
        return "contains white space"
    if control := CONTROL_CHARACTER.search(text):
        return control_problem(control.group())
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "contains half a surrogate pair"
    return f"has {size:,} bytes" if size > MAX_ID_BYTES else None


def control_problem(character: str) -> str:
    """The problem of a text that contains this control character."""
    return f"contains the control character U+{ord(character):04X}"


def id_text(name: str, value: object) -> str:
    """An id as a string: a string, or a whole number as str() writes it; ValueError for anything else."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral) and not isinstance(value, bool):
        return str(int(value))
    raise ValueError(f"a {name} must be a string or a whole number, not {value!r}")
