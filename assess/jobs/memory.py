"""Gives memory that is no longer used back to the system."""

import ctypes
import sys


def release_memory() -> None:
    """Return what the allocators keep for later. Without this, a worker keeps the memory of its largest job."""
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim:  # glibc only
        trim(0)
