"""The results of `few_human_grades`: scores of systems and their differences, with intervals and what is saved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pandas as pd

from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count, percent

# What an interval is for, as the results say it.
CLAIMS = {"these_topics": "these topics", "sampled_topics": "topics as a sample"}
NUMBERS = (
    "value",
    "low",
    "high",
    "model_alone",
    "classical",
    "classical_low",
    "classical_high",
    "saved_by_design",
    "saved_by_model",
)


@dataclass(frozen=True, eq=False, repr=False)
class _Estimates(Result):
    """Estimates with intervals, of scores or of differences.

    Attributes
    ----------
    table : DataFrame
        One row for each estimate.
    measure : str
        Name of the measure.
    claim : {"these_topics", "sampled_topics"}
        Whether the intervals are for the topics of the draw, or for topics of which these are a random sample.
    confidence : float
        Level of the intervals.
    n_grades : int
        Grades of people, of all pairs.
    n_topics : int
        Topics of the draw.
    seed : int
        Seed of the folds.
    notes : tuple of str
        What was unusual, in sentences.
    """

    table: pd.DataFrame
    measure: str
    claim: str
    confidence: float
    n_grades: int
    n_topics: int
    seed: int
    notes: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each estimate.

        Returns
        -------
        DataFrame
            system (or system_a and system_b), value, low, high, model_alone (from the model's grades without people;
            NA without a model), classical, classical_low, classical_high (from the grades of people alone, each
            weighted by 1 / inclusion probability), saved_by_design and saved_by_model (shares of the grades; below 0 if
            more are needed; NA if unknown), n_grades (grades of people that the estimate uses), claim, and reason (why
            there is no interval, or why it is not reliable; else NA).
        """
        return self.table.copy()

    def _sentence(self) -> str:
        first = (
            f"{self.measure} from {count(self.n_grades, 'grade')} of people on {count(self.n_topics, 'topic')};"
            f" {percent(self.confidence)} intervals for {CLAIMS[self.claim]} (seed {self.seed})."
        )
        return "\n".join([first, *self.notes])

    def _paper_table(self) -> pd.DataFrame:
        frame = self.table
        names = [name for name in ("system", "system_a", "system_b") if name in frame]
        parts: dict[str, Sequence[object] | pd.Series] = {name: frame[name] for name in [*names, "value"]}
        parts["interval"] = _limits(frame["low"], frame["high"])
        parts |= {name: frame[name] for name in ("model_alone", "classical")}
        parts["classical interval"] = _limits(frame["classical_low"], frame["classical_high"])
        saved = ("saved_by_design", "saved_by_model", "saved_by_shuffled")
        parts |= {name: frame[name] for name in (*saved, "n_grades", "reason") if name in frame}
        return rounded(pd.DataFrame(parts))


def _limits(low: "pd.Series[float]", high: "pd.Series[float]") -> list[str]:
    return ["" if pd.isna(a) or pd.isna(b) else f"[{a:z.3f}, {b:z.3f}]" for a, b in zip(low, high, strict=True)]


@dataclass(frozen=True, eq=False, repr=False)
class FewGradesDifferences(_Estimates):
    """Differences of scores, estimated from few human grades; returned by `FewGrades.differences`.

    Attributes
    ----------
    table : DataFrame
        One row for each pair of systems, `system_a` minus `system_b`.
    measure, claim, confidence, n_grades, n_topics, seed, notes
        As in `FewGrades`.
    """


@dataclass(frozen=True, eq=False, repr=False)
class FewGrades(_Estimates):
    """Scores estimated from few human grades and many model grades; returned by `few_human_grades`.

    Attributes
    ----------
    table : DataFrame
        One row for each system, ascending.
    measure : str
        Name of the measure.
    claim : {"these_topics", "sampled_topics"}
        Whether the intervals are for the topics of the draw, or for topics of which these are a random sample.
    confidence : float
        Level of the intervals.
    n_grades, n_topics : int
        Grades of people, and topics of the draw.
    seed : int
        Seed of the folds.
    notes : tuple of str
        What was unusual, in sentences.
    """

    _compare: Callable[[Sequence[tuple[str, str]]], FewGradesDifferences] = field(kw_only=True)

    def differences(
        self, reference: str | None = None, *, systems: Sequence[str] | None = None
    ) -> FewGradesDifferences:
        """Estimate the differences of every two systems from the same grades.

        Parameters
        ----------
        reference : str, optional
            Compare each other system with this one only.
        systems : sequence of str, optional
            Compare these systems only.

        Returns
        -------
        FewGradesDifferences
            One row for each pair, with system_a, system_b and the columns of the scores. The first system is the other
            one if there is a reference, and otherwise the first by name. Pairs of topic and document that both rank
            alike drop out, so n_grades is smaller than for a score.

        Raises
        ------
        ValueError
            There is no system of this name.
        """
        known = list(self.table["system"])
        chosen = known if systems is None else list(systems)
        for name in chosen if reference is None else [*chosen, reference]:
            if name not in known:
                raise ValueError(f"There is no system {name!r}. The systems are {', '.join(known)}.")
        if reference is None:
            return self._compare([(a, b) for at, a in enumerate(chosen) for b in chosen[at + 1 :]])
        return self._compare([(system, reference) for system in chosen if system != reference])
