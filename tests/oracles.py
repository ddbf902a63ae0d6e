"""The expected values in `tests/oracle`, read once."""

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "oracle"


@cache
def oracle(name: str):
    """The content of `tests/oracle/NAME.json`."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
