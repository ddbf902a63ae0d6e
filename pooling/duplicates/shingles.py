"""Shingles: the sets of word sequences of documents, and their Jaccard similarity.

A word is a run of letters, digits and underscores without regard to case. In Chinese and Japanese, which have no spaces
between words, each character is a word. A shingle is a sequence of `size` words. A text with fewer words has one
shingle, the sequence of all of them; a text without words has none. Punctuation, white space and markup characters do
not count. Shingles are represented by 64-bit hashes (BLAKE2b), of which two in a collection practically never collide.

A. Z. Broder, On the resemblance and containment of documents, Compression and Complexity of Sequences 1997, 21-29.
"""

import re
from hashlib import blake2b

import numpy as np

from pooling.errors import refuse_unless
from pooling.ranking import check_whole

DEFAULT_SIZE = 3
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+")


def shingles(text: str, size: int = DEFAULT_SIZE) -> np.ndarray:
    """Return the shingles of a text as a sorted set of hashes, in time linear in the text.

    Parameters
    ----------
    text : str
        The text of a document, without markup.
    size : int
        Words in a shingle, at least 1.

    Returns
    -------
    ndarray of uint64, shape (n_shingles,)
        The different shingles, ascending; empty if the text has no word.

    Raises
    ------
    ValueError
        If `size` is not a positive whole number.

    Examples
    --------
    >>> from pooling import shingles
    >>> len(shingles("A rose is a rose is a rose.", size=2))
    3
    """
    refuse_unless(text, str, "text", "a string")
    check_whole("size", size)
    words = _WORD.findall(text.casefold())
    if not words:
        return np.empty(0, dtype=np.uint64)
    last = max(len(words) - size, 0)
    texts = {" ".join(words[at : at + size]) for at in range(last + 1)}
    hashes = b"".join(_hash(shingle) for shingle in texts)
    return np.unique(np.frombuffer(hashes, dtype="<u8").astype(np.uint64))


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    """Return the Jaccard similarity of two sets: what they share, divided by what either has.

    Parameters
    ----------
    a, b : ndarray, shapes (n_a,) and (n_b,)
        Two sets, each without repeated values.

    Returns
    -------
    float
        From 0 (nothing in common) to 1 (the same set). 0 if both are empty: a text without words resembles nothing.

    Examples
    --------
    >>> from pooling import jaccard, shingles
    >>> jaccard(shingles("to be or not", size=1), shingles("to be or what", size=1))
    0.6
    """
    for name, hashes in (("a", a), ("b", b)):
        refuse_unless(hashes, np.ndarray, name, "an array of shingles")
    shared = len(np.intersect1d(a, b, assume_unique=True))
    either = len(a) + len(b) - shared
    return shared / either if either else 0.0


def _hash(shingle: str) -> bytes:
    # A lone surrogate is not valid UTF-8, but may be in a text.
    return blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest()
