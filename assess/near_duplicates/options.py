"""What a researcher can choose. This module loads no library, so that pages start quickly."""

import math

from assess.errors import Refused

LOWEST_FOUND = 0.4  # pairs below are not stored; those up to the lowest threshold are examples
LOWEST_THRESHOLD = 0.5
DEFAULT_THRESHOLD = 0.8
SHINGLE_SIZE = 3
MOST_DOCUMENTS = 100_000  # compared at once, so that their texts fit into memory


def checked_threshold(text: str) -> float:
    """Return the threshold that a user typed, or refuse it."""
    try:
        threshold = float(text[:20])
    except ValueError:
        threshold = math.nan
    if not LOWEST_THRESHOLD <= threshold <= 1:
        raise Refused(f"The threshold must be a number from {LOWEST_THRESHOLD} to 1, not {text[:20]!r}.")
    return threshold
