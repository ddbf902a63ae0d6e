"""What may be an id: of a topic (query_id), of a document (doc_id), or the name of a system.

An id is 1 to 512 bytes of UTF-8 without ASCII white space and without control characters (U+0000 to U+001F
and U+007F to U+009F). Everything else is allowed and kept as it is, the no-break space included: two ids are
the same when their bytes are. The limit keeps an id, and a pair of them, inside what a database can index.
"""

import re

MAX_ID_BYTES = 512
ALLOWED_ID = f"an id is 1 to {MAX_ID_BYTES} bytes of UTF-8 without white space and control characters"

CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def id_problem(text: str) -> str | None:
    """What keeps `text` from being an id, to be read after its name ("query_id 'a b' ..."), or None."""
    if not text:
        return "is empty"
    if " " in text:
        return "holds white space"
    if control := CONTROL_CHARACTER.search(text):
        return control_problem(control.group())
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "holds half a surrogate pair"
    return f"has {size:,} bytes" if size > MAX_ID_BYTES else None


def control_problem(character: str) -> str:
    """The words for a control character that was found."""
    return f"holds the control character U+{ord(character):04X}"
