"""The settings as they are in life, but for plain HTTP, a data folder of their own, and what saves time: quick password
hashing, no list of all static files for each test client, and commits that do not wait for the disk."""

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
os.environ |= {"ASSAY_PLAIN_HTTP": "1", "ASSAY_DEBUG": "0"}
os.environ.setdefault("ASSAY_DATA", str(PROJECT / "var" / "test"))  # another folder lets two suites run at once

from assess.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"]["CONN_MAX_AGE"] = 0  # noqa: F405 - so that a test can make the database unreachable for all threads
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF"  # noqa: F405
else:
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"  # noqa: F405
WHITENOISE_AUTOREFRESH = True
IN_MEMORY = "django.core.cache.backends.locmem.LocMemCache"
CACHES = CACHES | {"results": {"BACKEND": IN_MEMORY, "LOCATION": "results"}}  # noqa: F405 - one for each process
