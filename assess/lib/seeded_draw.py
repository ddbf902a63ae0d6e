"""Reproducible random numbers, derived from a seed and from names."""

from hashlib import blake2b

DRAWS = 1 << 31  # draws are smaller, so that they fit an integer column of any database


def draw(seed: int, *names: str) -> int:
    """Return a number between 0 and DRAWS - 1 that depends only on the seed and the names."""
    content = "\0".join([str(seed), *names]).encode()
    return int.from_bytes(blake2b(content, digest_size=8).digest()) % DRAWS
