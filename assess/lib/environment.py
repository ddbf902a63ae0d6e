"""What the environment says to the settings, checked at the door."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

YES, NO = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}


def flag(name: str, default: bool = False) -> bool:
    """A yes or no from the environment."""
    word = os.environ.get(name, "yes" if default else "no").strip().lower()
    if word not in YES | NO:
        raise ImproperlyConfigured(f"{name}={word} is neither yes nor no: use 1 or 0.")
    return word in YES


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list from the environment."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def secret_key(data: Path) -> str:
    """ASSAY_SECRET_KEY, else the key kept in the data folder, made at the first start.

    The file is linked into place complete, so that of two first starts at once one wins and both read the
    winner's key.
    """
    if key := os.environ.get("ASSAY_SECRET_KEY", "").strip():
        return key
    kept = data / "secret_key"
    if not kept.exists():
        draft = data / f"secret_key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
        try:
            os.link(draft, kept)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            draft.replace(kept)
        finally:
            draft.unlink(missing_ok=True)
    return kept.read_text(encoding="ascii")
