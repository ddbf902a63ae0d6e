"""Small made-up files in the shapes of the classic collections; see tests/data/smart/README.md."""

from pathlib import Path

SMART = Path(__file__).parent / "data" / "smart"
CODES = {1: 4, 2: 3, 3: 2, 4: 1, -1: 0}  # of Cranfield, 1 is the best
