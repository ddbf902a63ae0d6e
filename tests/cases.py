"""Small made-up files in the shape of reports by users of other tools; see tests/data/cases."""

from pathlib import Path

CASES = Path(__file__).parent / "data" / "cases"
