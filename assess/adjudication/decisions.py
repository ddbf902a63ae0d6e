"""The decisions of adjudicators: how far each judge agrees with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

import agreement
from assess.analysis.data import collection_decisions, collection_judgements
from assess.collections.scale import scale_of
from assess.models import Collection

DECISIONS = "adjudicated"


@dataclass(frozen=True)
class JudgeAndDecisions:
    """One judge compared with the decisions on the documents that they judged; `same` of `n` grades are equal."""

    judge: str
    n: int
    same: int
    kappa: agreement.Estimate


def agreement_with_decisions(collection: Collection, query_ids: Sequence[str] = ()) -> list[JudgeAndDecisions]:
    """Return each judge with a decided document, the closest to the decisions first.

    With `query_ids`, only documents of these topics count. Only disputed documents are decided, so the values are lower
    than over all documents.
    """
    decisions = collection_decisions(collection)
    decisions = decisions[decisions["query_id"].isin(query_ids)] if query_ids else decisions
    judgements = collection_judgements(collection).merge(decisions[["query_id", "doc_id"]])
    rows = [_row(collection, name, part, decisions) for name, part in _by_judge(judgements)]
    return sorted(rows, key=lambda row: (-row.same / row.n, row.judge))


def _by_judge(judgements: pd.DataFrame) -> Iterable[tuple[str, pd.DataFrame]]:
    return ((str(name), part) for name, part in judgements.groupby("assessor"))


def _row(collection: Collection, name: str, judged: pd.DataFrame, decisions: pd.DataFrame) -> JudgeAndDecisions:
    final = decisions.merge(judged[["query_id", "doc_id"]]).assign(assessor=DECISIONS)
    # The judge gets another name, because a person may be called like the decisions.
    both = pd.concat([judged.assign(assessor="judge"), final], ignore_index=True)
    ratings = agreement.Ratings.from_judgements(both, scale_of(collection))
    kappa = agreement.cohen_kappa(ratings, "judge", DECISIONS)
    pairs = judged.merge(final, on=["query_id", "doc_id"], suffixes=("", "_decided"))
    return JudgeAndDecisions(name, len(pairs), int((pairs["relevance"] == pairs["relevance_decided"]).sum()), kappa)
