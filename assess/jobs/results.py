"""A cache for results that are asked for again, shared by the web server and the workers.

A result is found by its inputs: the caller passes everything that it depends on. The cache is not Django's default
cache, so that results never evict what other modules count there.
"""

import hashlib
import logging
import pickle
import zlib
from typing import Any

from django.core.cache import cache as process_cache
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from agreement.version import VERSION

logger = logging.getLogger(__name__)

SECONDS = 24 * 3600
FORM = 5  # raise it when stored results get other fields within a version: results of before are then not found


def key_of(kind: str, *inputs: object) -> str:
    """Return the key of a result. The inputs are compared by `repr`."""
    return f"{kind}:{hashlib.sha256(repr((VERSION, FORM, inputs)).encode()).hexdigest()}"


def get(key: str) -> Any:
    """Return a result, or None if it is not there."""
    try:
        stored = _cache().get(key)
        return None if stored is None else pickle.loads(zlib.decompress(stored))  # noqa: S301 - written by `keep`
    except Exception:  # a file that another version of a library wrote
        logger.warning("The result %s could not be read.", key, exc_info=True)
        return None


def keep(key: str, result: Any, seconds: int = SECONDS) -> None:
    """Store a result, which may be anything but None.

    Django's cache compresses files by a level that takes several times as long as the lowest, for files that are a
    tenth smaller. What is compressed already costs it little.
    """
    _cache().set(key, zlib.compress(pickle.dumps(result, pickle.HIGHEST_PROTOCOL), level=1), seconds)


def forget_all() -> None:
    """Delete all results, here and in this process's cache: they contain the names of judges."""
    process_cache.clear()
    _cache().clear()


def _cache() -> BaseCache:
    return caches["results"]
