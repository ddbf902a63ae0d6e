"""The tables of a ranking shift: ranks side by side, rank ranges over the golds, and golds compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import agreement
from assess.analysis.shift.ranking import evidence_note
from assess.collections.score_precision import describe_precision
from assess.models import Run

MOST_COLUMNS = 6  # of golds side by side; the others are folded


@dataclass(frozen=True)
class Cell:
    """One system under one gold."""

    rank: int | None
    score: float | None
    change: int | None

    @property
    def moved(self) -> str:
        """`+2` if the system is two ranks better than under the reference; empty if the rank is the same."""
        return f"{self.change:+d}".replace("-", "−") if self.change else ""


@dataclass(frozen=True)
class GoldNote:
    """How much data the ranking under one gold is based on."""

    name: str
    n_topics: int
    judged: int
    retrieved: int

    @property
    def judged_share(self) -> str:
        return f"{self.judged / self.retrieved:.0%}" if self.retrieved else "nothing retrieved"


@dataclass(frozen=True)
class RankTable:
    """The ranks under some golds, one row per system, the best under the reference first."""

    golds: list[str]
    rows: list[tuple[str, list[Cell]]]


@dataclass(frozen=True)
class ShiftFigures:
    """The content of the shift page. `precision` and `evidence` are sentences on the runs and on combined golds.

    `shown` has the first golds, and `folded` the others. `baselines` are the systems whose runs were computed here.
    """

    shift: agreement.RankingShift
    precision: str
    evidence: str
    golds: list[GoldNote]
    shown: RankTable
    folded: RankTable
    baselines: set[str]

    @property
    def left_out(self) -> list[str]:
        """Sentences on the golds that the headline does not use."""
        return self.shift.left_out()

    @property
    def preliminary_golds(self) -> list[str]:
        """One line for each gold with too little data."""
        return self.shift.preliminary_golds()


def shift_figures(shift: agreement.RankingShift, runs: Sequence[Run], against: str | None) -> ShiftFigures:
    """Return the ranks of the runs under all golds. The reference and the gold `against` come first."""
    golds = list(dict.fromkeys([shift.reference, *([against] if against else []), *shift.others]))
    rows = {name: frame.to_dict("records") for name, frame in shift.ranks.groupby("gold", sort=False)}
    cells = {name: {row["system"]: _cell(row) for row in rows[name]} for name in golds}
    return ShiftFigures(
        shift,
        describe_precision(runs),
        evidence_note(shift),
        [GoldNote(name, int(rows[name][0]["n_topics"]), *shift.judged_counts(name)) for name in golds],
        _rank_table(shift, cells, golds[:MOST_COLUMNS]),
        _rank_table(shift, cells, golds[MOST_COLUMNS:]),
        baseline_systems(runs),
    )


def baseline_systems(runs: Sequence[Run]) -> set[str]:
    """Return the systems whose runs were computed here."""
    return {run.system for run in runs if run.is_baseline}


def _rank_table(shift: agreement.RankingShift, cells: Mapping[str, Mapping[str, Cell]], golds: list[str]) -> RankTable:
    systems = list(shift.to_frame().index) if golds else []
    return RankTable(golds, [(system, [cells[gold][system] for gold in golds]) for system in systems])


def _cell(row: Mapping[Any, Any]) -> Cell:
    return Cell(*(None if pd.isna(row[name]) else row[name] for name in ("rank", "score", "change")))


def ranks_frame(shift: agreement.RankingShift, runs: Sequence[Run]) -> pd.DataFrame:
    """Return the scores and ranks of every system under every gold."""
    return shift.ranks.assign(is_baseline=shift.ranks["system"].isin(baseline_systems(runs)))


def range_frame(shift: agreement.RankingShift) -> pd.DataFrame:
    """Return the best, worst and mean rank of each system over the golds.

    Returns
    -------
    DataFrame
        system; rank under the reference; best, worst and mean rank over all golds; n_golds, the golds with a rank.
    """
    ranks = shift.to_frame()
    columns = {"rank": ranks[shift.reference], "best": ranks.min(axis=1), "worst": ranks.max(axis=1)}
    columns |= {"mean": ranks.mean(axis=1), "n_golds": ranks.notna().sum(axis=1)}
    return pd.DataFrame(columns).reset_index(names="system")


def groups_frame(shift: agreement.RankingShift, groups: Mapping[str, str]) -> pd.DataFrame:
    """Return the figures of `RankingShift.groups_frame`. Groups of runs that are left out have the other runs only.

    A group with the name of a run outside it is called "NAME (group)", because a run with this name may be imported
    after the group was named.
    """
    known = {system: group for system, group in groups.items() if system in shift.systems}
    outside = {system for system in shift.systems if known.get(system) != system}
    named = {system: f"{group} (group)" if group in outside else group for system, group in known.items()}
    return shift.groups_frame(named)


def compared_frame(shift: agreement.RankingShift, only_reference: bool = False) -> pd.DataFrame:
    """Return one row for every two golds, or for the reference and each other gold."""
    frame = shift.pairs_frame()
    if not only_reference or frame.empty:
        return frame
    return frame[frame["gold_a"] == shift.reference].reset_index(drop=True)


def ranked_systems(shift: agreement.RankingShift) -> list[str]:
    """Return the systems from the best to the worst under the reference, tied ones by name."""
    ranks = shift.ranks_under(shift.reference).sort_values(["rank", "system"], kind="stable")
    return [str(system) for system in ranks["system"]]
