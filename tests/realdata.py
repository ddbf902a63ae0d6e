"""The real data that lies beside the project, for tests only; nothing of it is copied in."""

import os
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from pooling import read_runs

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data"))


def real_data(*parts: str) -> Path:
    """A path under the real data; the test that asks skips without it, and fails where CI requires it."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        message = f"no real data at {path}: set ASSAY_TEST_DATA to the folder that holds dl19/ and trec_eval/"
        if os.environ.get("ASSAY_TEST_DATA_REQUIRED") == "1":
            pytest.fail(message)
        pytest.skip(message)
    return path


def dl19_run_paths() -> list[Path]:
    """The files of the 37 official passage runs of TREC Deep Learning 2019."""
    return sorted(real_data("dl19", "runs").glob("*.run.gz"))


@cache
def dl19_runs() -> pd.DataFrame:
    """The 37 runs, read once per process. Tests must not change the frame."""
    return read_runs(dl19_run_paths())
