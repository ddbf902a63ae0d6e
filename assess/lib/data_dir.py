"""Where Assay keeps its data: the database, run files, secret key and backups.

The first of these that is given is used:

1. the option `--data DIR` of a command,
2. the environment variable `ASSAY_DATA`,
3. `var/` in a checkout of the repository, for `manage.py` and for a server started from the checkout,
4. the data directory of the platform, such as `~/.local/share/assay` on Linux.

This module imports neither Django nor the settings, because the settings use it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_dir

VARIABLE = "ASSAY_DATA"
DATABASE_NAME = "assay.sqlite3"
PROJECT = Path(__file__).resolve().parents[2]  # the checkout, or the site-packages folder of an installation


@dataclass(frozen=True)
class DataDir:
    """A data directory, and why it was chosen: "--data", "ASSAY_DATA", "checkout" or "platform"."""

    path: Path
    source: str

    @property
    def database(self) -> Path:
        """The SQLite database in this directory. The file may not exist."""
        return self.path / DATABASE_NAME


def checkout() -> Path | None:
    """The repository that this package is imported from, or None if the package was installed."""
    return PROJECT if (PROJECT / "manage.py").is_file() and (PROJECT / "pyproject.toml").is_file() else None


def find_data_dir(
    option: str | None = None, *, use_checkout: bool, environment: Mapping[str, str] = os.environ
) -> DataDir:
    """The data directory to use. `option` is the value of `--data`; an empty value counts as not given."""
    return candidates(option, use_checkout=use_checkout, environment=environment)[0]


def other_databases(
    chosen: DataDir, *, use_checkout: bool, environment: Mapping[str, str] = os.environ
) -> list[DataDir]:
    """Directories that are not used but hold a database, because somebody may look for their collections there."""
    places = candidates(None, use_checkout=use_checkout, environment=environment)
    if not use_checkout:
        places += _checkout_dirs()
    unused = {place.path: place for place in places if place.path != chosen.path and place.database.is_file()}
    return list(unused.values())


def candidates(option: str | None, *, use_checkout: bool, environment: Mapping[str, str] = os.environ) -> list[DataDir]:
    """All data directories in the order in which they are considered."""
    named = [(option, "--data"), (environment.get(VARIABLE), VARIABLE)]
    places = [DataDir(Path(value).expanduser().resolve(), source) for value, source in named if value]
    if use_checkout:
        places += _checkout_dirs()
    return [*places, DataDir(Path(user_data_dir("assay", appauthor=False)).resolve(), "platform")]


def _checkout_dirs() -> list[DataDir]:
    root = checkout()
    return [DataDir(root / "var", "checkout")] if root else []
