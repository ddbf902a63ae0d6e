"""Two judges: the probability of each band of their kappas, and tests whether they give the grades equally often."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

import agreement
from agreement.diagnostics.benchmarks import BANDS, LOWEST, Benchmarks
from agreement.reports.added_sections import SCALES

SHOWN_SCALE = "landis_koch"  # next to a kappa
TESTS = {"mcnemar": "McNemar, exact", "stuart_maxwell": "Stuart and Maxwell", "bhapkar": "Bhapkar"}


@dataclass(frozen=True)
class PairBenchmarks:
    """The benchmarks of the two kappas of a pair."""

    pooled_kappa: Benchmarks
    cohen_kappa: Benchmarks

    @classmethod
    def of(cls, pooled: agreement.Estimate, cohen: agreement.Estimate) -> "PairBenchmarks":
        return cls(*map(agreement.benchmark_probabilities, (pooled, cohen)))

    def frame(self) -> pd.DataFrame:
        """Return a row for each band of each scale, the highest first.

        Columns: scale, band, low, high, and for each kappa `_probability`, `_cumulative` (of this band or above),
        `_chosen` (whether this is the band that it reaches) and `_reason`, why there are none.
        """
        rows = [
            [SCALES[scale], band, low, high]
            for scale, bands in BANDS.items()
            for (high, band), low in reversed(list(zip(bands, _lower_limits(scale), strict=True)))
        ]
        frame = pd.DataFrame(rows, columns=["scale", "band", "low", "high"])
        for name, one in (("pooled_kappa", self.pooled_kappa), ("cohen_kappa", self.cohen_kappa)):
            bands = one.to_frame().reindex(frame.index)
            frame[f"{name}_probability"] = bands["probability"].astype("Float64")
            frame[f"{name}_cumulative"] = bands["cumulative"].astype("Float64")
            frame[f"{name}_chosen"] = bands["chosen"].astype("boolean")
            for figure in ("probability", "cumulative"):
                frame[f"{name}_{figure}_reason"] = one.reason
        return frame


def _lower_limits(scale: str) -> list[float]:
    return [LOWEST, *(high for high, _ in BANDS[scale][:-1])]


def reached_band(estimate: agreement.Estimate) -> str:
    """Return the band of Landis and Koch with the lower limit of an interval; empty if there is none."""
    if estimate.low is None:
        return ""
    return next(band for high, band in BANDS[SHOWN_SCALE] if estimate.low <= high)


def tests_of(table: list[list[int]]) -> Mapping[str, agreement.MarginalTest]:
    """Return the tests of the totals of a table by their names; McNemar's only for two grades."""
    tests = [agreement.stuart_maxwell(table), agreement.bhapkar(table)]
    if len(table) == 2:
        tests.insert(0, agreement.mcnemar(table))
    return {test.test: test for test in tests}


def tests_frame(tests: Mapping[str, agreement.MarginalTest], n_dropped: int) -> pd.DataFrame:
    """Return a row for each test; `n_dropped` counts the documents that only one of the judges judged."""
    frame = pd.concat([test.to_frame() for test in tests.values()], ignore_index=True)
    frame["test"] = frame["test"].map(TESTS)
    frame["n_dropped"] = n_dropped
    return frame.assign(statistic_reason=frame["reason"], p_reason=frame["reason"]).drop(columns="reason")
