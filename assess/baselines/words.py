"""Tokens: the words of documents and queries."""

import re

WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the words of a text: runs of letters, digits and underscores, with case folded.

    There is no stemming and no list of stop words, so that no language is treated specially. A text in a script without
    spaces between words becomes few long tokens, for which these baselines are of little use.
    """
    return WORD.findall(text.casefold())
