"""Results of long simulations, kept between calls, so that an interrupted run continues."""

import json
import sys
from collections.abc import Callable
from pathlib import Path


class Kept:
    """The rows of each cell of a simulation.

    Parameters
    ----------
    path : Path
        A JSON file; it is created with the first result.
    again : bool
        Whether to forget what the file has.
    """

    def __init__(self, path: Path, again: bool) -> None:
        self.path = path
        self.rows: dict[str, list[list[str]]] = {}
        if path.exists() and not again:
            self.rows = json.loads(path.read_text(encoding="utf-8"))

    def get(self, key: str, compute: Callable[[], list[list[str]]]) -> list[list[str]]:
        """The rows of a cell, computed and kept unless they are known."""
        if key not in self.rows:
            self.rows[key] = compute()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.rows), encoding="utf-8")
            print(key, file=sys.stderr, flush=True)
        return self.rows[key]
