"""Which documents people should grade next, for each model: those whose grade is expected to change the ranking most.

It is computed together with the report on model judges, from the same runs and golds. Loads pandas.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from agreement.effectiveness.ranked_runs import RankedRuns
from agreement.trust import TrustReport
from agreement.trust.who_judges import who_judges
from assess.lib.long_work import report as report_progress

MOST_LISTED = 500  # documents, of which the gain is kept
PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True)
class ToGrade:
    """The documents that the model graded and people did not, the largest gain first.

    `pairs` are the first MOST_LISTED of `n_pairs`: query_id, doc_id, model_grade, spread, gain and why.
    """

    pairs: pd.DataFrame
    n_pairs: int
    summary: str


@dataclass(frozen=True, eq=False, repr=False)
class PageReport(TrustReport):
    """The report on model judges, and what people should grade next, by model.

    A model without a document that people have not graded has none.
    """

    to_grade: dict[str, ToGrade] = field(default_factory=dict)


def with_to_grade(
    report: TrustReport, runs: RankedRuns, people: pd.DataFrame, models: Mapping[str, pd.DataFrame]
) -> PageReport:
    """Return the report with what people should grade next; `people` is the gold that is the reference."""
    report_progress("Finding what people should grade next")
    found = {model: _to_grade(runs, gold, people, report.measure, report.scale) for model, gold in models.items()}
    return PageReport(**vars(report), to_grade={model: each for model, each in found.items() if each is not None})


def _to_grade(
    runs: RankedRuns, model: pd.DataFrame, people: pd.DataFrame, measure: str, scale: Sequence[float]
) -> ToGrade | None:
    """Return the documents of a model; None if there is none, or if a gold of fractions has no gains."""
    graded = [gold.loc[gold["relevance"] >= 0, PAIR] for gold in (model, people)]
    if len(graded[0].merge(graded[1], on=PAIR)) == len(graded[0]):
        return None
    try:
        found = who_judges(runs, model, measure, people, scale=scale)
    except ValueError:
        return None
    return ToGrade(found.pairs.head(MOST_LISTED), len(found.pairs), found.summary())
