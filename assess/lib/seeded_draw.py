"""Chance for what a collection draws by itself: from its seed and from names, so that it can be drawn again."""

from hashlib import blake2b

DRAWS = 1 << 31  # draws are below: they fit an integer column of any database


def draw(seed: int, *names: str) -> int:
    """A number from 0 and below DRAWS that depends on the seed and the names alone."""
    content = "\0".join([str(seed), *names]).encode()
    return int.from_bytes(blake2b(content, digest_size=8).digest()) % DRAWS
