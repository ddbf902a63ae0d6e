"""Cases of a parametrised test that differ from a quick case in what needs no test at each change."""

from collections.abc import Iterable

import pytest


def slow_cases(cases: Iterable) -> list:
    """Return the cases marked as slow. A case of several arguments is a tuple."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]
