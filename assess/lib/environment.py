"""Settings from environment variables: yes-or-no flags, lists, numbers, choices and the secret key."""

import os
import secrets
from datetime import datetime, time
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

YES, NO = {"1", "true", "yes", "on"}, {"", "0", "false", "no", "off"}


def flag(name: str, default: bool = False) -> bool:
    """A yes or no from the environment."""
    value = os.environ.get(name, "yes" if default else "no").strip().lower()
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")
    return value in YES


def text(name: str) -> str:
    """A text from the environment, or an empty one."""
    return os.environ.get(name, "").strip()


def time_of_day(name: str, default: str) -> time:
    """A time such as 03:00 from the environment."""
    value = text(name) or default
    try:
        return datetime.strptime(value, "%H:%M").time()  # noqa: DTZ007 - a time without a day
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a time between 00:00 and 23:59, not {value!r}.") from None


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list from the environment."""
    return [word.strip() for word in os.environ.get(name, default).split(",") if word.strip()]


def whole_number(name: str, default: int) -> int:
    """A whole number of at least 1 from the environment."""
    text = os.environ.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ImproperlyConfigured(f"{name} must be a whole number of at least 1, not {text!r}.")
    return int(text)


def share(name: str, default: float) -> float:
    """A share from 0 to 1 from the environment."""
    text = os.environ.get(name, "").strip() or str(default)
    try:
        return parse_share(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a share from 0 to 1, not {text!r}.") from None


def one_of(name: str, *values: str) -> str:
    """One of these values from the environment; the first is the default."""
    value = os.environ.get(name, "").strip() or values[0]
    if value not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {value!r}.")
    return value


def token(name: str, shortest: int) -> str:
    """A secret from the environment of at least so many characters, or an empty string. No message contains it."""
    value = os.environ.get(name, "").strip()
    if value and len(value) < shortest:
        raise ImproperlyConfigured(f"{name} must have at least {shortest} characters, not {len(value)}.")
    return value


def make_data_dir(path: Path) -> Path:
    """Create the data directory if it does not exist. Only its owner may read it: it holds password hashes.

    Missing parents get the same mode, because one of them may be a data directory too (that of the demo is inside it).
    """
    try:
        # One by one: mkdir(parents=True) would create the parents with the permissions of the umask.
        for folder in (*reversed(path.parents), path):
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"The data directory {path} cannot be created: {error.strerror}.") from None
    return path


def secret_key(data: Path) -> str:
    """ASSAY_SECRET_KEY, or else the key kept in the data directory, which is generated at the first start.

    The key is written to a draft that is then linked into place. If two processes start at once, one of them
    wins, and both read the winner's key.
    """
    if key := os.environ.get("ASSAY_SECRET_KEY", "").strip():
        return key
    path = data / "secret_key"
    try:
        if not path.exists():
            _write_secret_key(path)
        return path.read_text(encoding="ascii")
    except OSError as error:
        raise ImproperlyConfigured(f"The secret key {path} cannot be read or written: {error.strerror}.") from None


def _write_secret_key(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    # Before the key is written, so that nobody else can read it for a moment.
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_urlsafe(64), encoding="ascii")
    try:
        # Fails if another process has written the key since: all processes must use the same one.
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def parse_share(text: str) -> float:
    """Parse a share from 0 to 1. ValueError if the text is not one."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError(f"{text!r} is not a share from 0 to 1")
    return value
