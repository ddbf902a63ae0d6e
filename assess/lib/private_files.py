"""Files and directories that only their owner may read: the database, the secret key and backups."""

import os
import stat
from pathlib import Path

PRIVATE_DIR, PRIVATE_FILE = 0o700, 0o600
HAS_MODES = os.name == "posix"  # Windows protects a user's profile directory itself


def create_private_file(path: Path) -> None:
    """Create an empty file for its owner only. An existing file stays as it is."""
    path.touch(mode=PRIVATE_FILE, exist_ok=True)


def is_private(path: Path) -> bool:
    """Whether only the owner may open a file or directory."""
    return not HAS_MODES or not stat.S_IMODE(path.stat().st_mode) & 0o077


def make_private(path: Path) -> None:
    """Remove all permissions of other users."""
    path.chmod(PRIVATE_DIR if path.is_dir() else PRIVATE_FILE)
