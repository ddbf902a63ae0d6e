"""The version of Assay, without importing a library."""

from pathlib import Path
from runpy import run_path


def installed_version() -> str:
    """The version in `agreement/version.py`.

    The file is executed by itself. `assay doctor` must start even if a foreign package called `agreement` hides ours.
    """
    path = Path(__file__).resolve().parent.parent / "agreement" / "version.py"
    return str(run_path(str(path))["VERSION"])
