"""The result of the gate: the decision, what each gold says, and the judge shift.

`RunsUnderGold` has the figures under one gold, `JudgeShift` how much a gold moves the difference of the two runs, and
`Gate` both, with the decision.
"""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from agreement.gate.decision import CODES, INCONCLUSIVE, LOSS, TOO_MANY_UNJUDGED, WIN_OR_TIE, words
from pooling.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RunsUnderGold:
    """The two runs under one gold.

    Attributes
    ----------
    gold : str
        Name of the gold.
    decision : str
        "win_or_tie", "loss", "inconclusive" or "too_many_unjudged".
    n_topics : int
        Number of topics.
    baseline, candidate : float
        Mean scores over the topics.
    difference : float
        Mean of candidate minus baseline.
    low, high : float or None
        Limits of the interval of the difference.
    interval_decision : str
        What the interval alone says: "win_or_tie", "loss" or "inconclusive".
    reason : str or None
        "one_topic" or "same_difference" if there is no interval, "no_difference" if it has no width.
    power : float or None
        Probability of "win_or_tie" if both runs are in truth equally good.
    topics_needed : int or None
        Number of topics with a power of 80 %; None with a margin of 0, or without an interval that has a width.
    baseline_unjudged, candidate_unjudged : float or None
        Share of the first k documents that are unjudged; None if nothing was retrieved.
    lowest, highest : float or None
        Bounds of the difference over all ways to judge these documents; None if the measure has none.
    lowest_decision, highest_decision : str or None
        What the interval of the lowest and of the highest differences says.
    n_outer : int
        Number of topics whose bounds may be wider than necessary.
    """

    gold: str
    decision: str
    n_topics: int
    baseline: float
    candidate: float
    difference: float
    low: float | None
    high: float | None
    interval_decision: str
    reason: str | None
    power: float | None
    topics_needed: int | None
    baseline_unjudged: float | None
    candidate_unjudged: float | None
    lowest: float | None
    highest: float | None
    lowest_decision: str | None
    highest_decision: str | None
    n_outer: int


@dataclass(frozen=True)
class JudgeShift:
    """How much a gold moves the difference of the two runs.

    Attributes
    ----------
    gold, reference : str
        The gold, and the first gold, with which it is compared.
    n_topics : int
        Number of topics.
    shift : float
        The mean difference under the gold minus that under the reference.
    low, high : float or None
        Limits of its interval over topics; None if there is none.
    """

    gold: str
    reference: str
    n_topics: int
    shift: float
    low: float | None
    high: float | None


FLOATS = ("low", "high", "power", "baseline_unjudged", "candidate_unjudged", "lowest", "highest")
TEXTS = ("reason", "lowest_decision", "highest_decision")


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """The decision about a candidate run; returned by `gate_candidate`.

    Attributes
    ----------
    decision : str
        "win_or_tie", "loss", "inconclusive", "too_many_unjudged" or "depends_on_the_judge".
    baseline, candidate : str
        Names of the runs.
    measure : str
        Name of the measure.
    margin : float
        The worsening that is accepted, in units of the measure.
    alpha : float
        1 - the level of the intervals.
    k : int
        Number of documents at the top of which the unjudged ones are counted and bounded.
    max_unjudged : float
        Largest share of them that may be unjudged.
    bounds : str
        "decide" or "report": whether the bounds of unjudged documents can change the decision.
    golds : tuple of RunsUnderGold
        The figures under each gold.
    shifts : tuple of JudgeShift
        One for each gold after the first.
    topics : DataFrame
        Columns gold, query_id, baseline, candidate, difference, lowest, highest, baseline_unjudged and
        candidate_unjudged (numbers of documents among the first k).
    notes : tuple of str
        What else should be known about the runs and golds, one sentence or more each.

    Examples
    --------
    >>> from agreement import gate_candidate
    >>> gold = {str(topic): {"a": 1, "b": 0} for topic in range(4)}
    >>> old = {str(topic): {"a": 2.0, "b": 1.0} for topic in range(4)}
    >>> gate = gate_candidate(old, old, gold, "RR")
    >>> gate.decision, gate.code
    ('win_or_tie', 0)
    """

    decision: str
    baseline: str
    candidate: str
    measure: str
    margin: float
    alpha: float
    k: int
    max_unjudged: float
    bounds: str
    golds: tuple[RunsUnderGold, ...]
    shifts: tuple[JudgeShift, ...]
    topics: "pd.DataFrame"
    notes: tuple[str, ...]

    @property
    def code(self) -> int:
        """The exit code of the decision, from 0 to 4."""
        return CODES[self.decision]

    def to_frame(self) -> "pd.DataFrame":
        """One row for each gold, with a column for each figure; an unknown one is NA."""
        import pandas as pd

        columns = [field.name for field in fields(RunsUnderGold)]
        rows = [[getattr(gold, name) for name in columns] for gold in self.golds]
        types = dict.fromkeys(FLOATS, "Float64") | dict.fromkeys(TEXTS, "string") | {"topics_needed": "Int64"}
        return pd.DataFrame(rows, columns=columns).astype(types)

    def tables(self) -> "dict[str, pd.DataFrame]":
        """The tables by name: golds, shifts and topics, not rounded."""
        import pandas as pd

        columns = [field.name for field in fields(JudgeShift)]
        rows = [[getattr(shift, name) for name in columns] for shift in self.shifts]
        shifts = pd.DataFrame(rows, columns=columns).astype({"low": "Float64", "high": "Float64"})
        return {"golds": self.to_frame(), "shifts": shifts, "topics": self.topics}

    def summary(self) -> str:
        """The decision with its reason, in one or two sentences."""
        return f"{words(self.decision).capitalize()}: {self._reason()}"

    def _sentence(self) -> str:
        return self.summary()

    def _reason(self) -> str:
        loss = f"worse than {self.baseline} by more than {self.margin:g} of {self.measure}"
        sentences = {
            WIN_OR_TIE: f"{self.candidate} is not {loss}.",
            LOSS: f"{self.candidate} is {loss}.",
            INCONCLUSIVE: f"the topics do not show whether {self.candidate} is {loss}.",
            TOO_MANY_UNJUDGED: f"whether {self.candidate} is {loss} may depend on documents that nobody has judged.",
        }
        found = "; ".join(f"{words(gold.decision)} under {gold.gold}" for gold in self.golds)
        return sentences.get(self.decision, f"the golds lead to different decisions: {found}.")

    def _paper_table(self) -> "pd.DataFrame":
        from pooling.text_tables import rounded  # loads pandas

        names = ["gold", "decision", "n_topics", "baseline", "candidate", "difference", "low", "high"]
        frame = self.to_frame()[names]
        return rounded(frame.assign(decision=frame["decision"].map(words)))
