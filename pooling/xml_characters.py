"""The characters that XML does not allow. One of them makes a whole file unreadable, a spreadsheet included."""

import re

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def for_xml(text: str) -> str:
    """The text with U+FFFD for each character that XML does not allow."""
    return NOT_IN_XML.sub("\ufffd", text)
