"""HTML in one line. Templates break lines where browsers ignore white space; tests look for text across such breaks."""

import re

BLOCKS = (
    "article aside blockquote button caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 "
    "label legend li main nav ol option p section select small summary table tbody td tfoot th thead tr ul"
)
UNCHANGED = re.compile(r"(<(script|textarea)\b.*?</\2>)", re.S)
AROUND_BLOCK = re.compile(rf" ?(</?(?:{'|'.join(BLOCKS.split())})\b[^>]*>) ?")


def compact(html: str) -> str:
    """Replace white space by single spaces, and remove it next to the tags of block elements and before `>`.

    The contents of scripts and text areas stay as they are.
    """
    parts = UNCHANGED.split(html)
    for index in range(0, len(parts), 3):
        text = re.sub(r"\s+", " ", parts[index]).replace(" >", ">")
        parts[index] = AROUND_BLOCK.sub(r"\1", text)
    return "".join(part for index, part in enumerate(parts) if index % 3 != 2)
