"""What assessors answered about marginal relevance: their subtopics, and how far they agree. Loads pandas.

The answers are those of current regular judgements with a relevant grade, every grade above the lowest. Documents
without an answer count as new; they are counted separately.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import pandas as pd
from django.db.models import OuterRef, Subquery

from agreement.novelty import diversity_qrels, make_subtopics, novelty_agreement
from agreement.novelty.answers import ANSWERS, COLUMNS, NO_ANSWER
from assess.collections.scale import lowest_relevant_grade
from assess.errors import Refused, as_sentence
from assess.models import Collection, Judgement, JudgementKind, MarginalAnswer, State
from pooling.errors import shown

JUDGE = "judge:"
ONLY_JUDGE = "only_judge"

Answers = dict[str, pd.DataFrame]  # by the pseudonym of the assessor


@dataclass(frozen=True)
class JudgeRow:
    """The answers of one assessor, with the number of subtopics in all topics."""

    name: str
    relevant: int
    new: int
    partly: int
    nothing: int
    unanswered: int
    subtopics: int


@dataclass(frozen=True)
class PairRow:
    """Two assessors: documents with answers of both, pairs of documents relevant for both, and Cohen's kappas."""

    a: str
    b: str
    documents: int
    kappa: str
    pairs: int
    shared_by_both: int
    shared_by_a: int
    shared_by_b: int
    pair_kappa: str


@dataclass(frozen=True)
class MarginalReport:
    """The rows of the page on marginal relevance."""

    judges: list[JudgeRow]
    pairs: list[PairRow]


def marginal_answers(collection: Collection) -> Answers:
    """Return the answer table (`agreement.novelty.answers`) of each assessor who gave an answer."""
    of_last_event = MarginalAnswer.objects.filter(event__judgement=OuterRef("pk"), event__version=OuterRef("version"))
    rows = (
        Judgement.objects.filter(member__collection=collection, repeat=JudgementKind.REGULAR, state=State.JUDGED)
        .filter(relevance__gte=lowest_relevant_grade(collection))
        .annotate(answer=Subquery(of_last_event.values("answer")), repeats=Subquery(of_last_event.values("repeats")))
        .order_by("judged_at", "pk")
        .values_list("member__name", "task__topic__query_id", "task__document__doc_id", "answer", "repeats")
    )
    by_judge: dict[str, list[tuple[str, str, str, list[str]]]] = {}
    for name, query_id, doc_id, answer, repeats in rows:
        by_judge.setdefault(name, []).append((query_id, doc_id, answer or NO_ANSWER, repeats or []))
    answered = {name: each for name, each in sorted(by_judge.items()) if any(row[2] for row in each)}
    return {name: pd.DataFrame(each, columns=list(COLUMNS)) for name, each in answered.items()}


def marginal_report(collection: Collection) -> MarginalReport:
    """Count the answers of each assessor, and compare each pair."""
    answers = marginal_answers(collection)
    pairs = [_pair_row(a, b, answers) for a, b in combinations(answers, 2)]
    return MarginalReport([_judge_row(name, table) for name, table in answers.items()], pairs)


def export_diversity_qrels(collection: Collection, rule: str) -> bytes:
    """Return the subtopics of one judge (`judge:NAME`), or of each topic's only judge (`only_judge`)."""
    answers = marginal_answers(collection)
    if not answers:
        raise Refused(f"Nobody has answered yet whether a relevant document of {collection} adds something new.")
    table = _only_judges(answers) if rule == ONLY_JUDGE else _of_judge(answers, rule)
    try:
        return diversity_qrels(make_subtopics(table)).encode()
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def _of_judge(answers: Answers, rule: str) -> pd.DataFrame:
    name = rule.removeprefix(JUDGE)
    if rule.startswith(JUDGE) and name in answers:
        return answers[name]
    allowed = ", ".join([*(f"{JUDGE}{each}" for each in answers), ONLY_JUDGE])
    raise Refused(f"Subtopics are those of one judge: the gold must be one of {allowed}, not {shown(rule)}.")


def _only_judges(answers: Answers) -> pd.DataFrame:
    judge_of: dict[str, str] = {}
    for name, table in answers.items():
        for query_id in table["query_id"].unique():
            if other := judge_of.get(query_id):
                raise Refused(
                    f"Topic {shown(query_id)} has the answers of {other} and {name}; choose one judge with judge:NAME."
                )
            judge_of[query_id] = name
    return pd.concat(answers.values(), ignore_index=True)


def _judge_row(name: str, table: pd.DataFrame) -> JudgeRow:
    counts = Counter(table["answer"])
    subtopics = make_subtopics(table)[["query_id", "subtopic"]].drop_duplicates()
    new, partly, nothing = (counts[answer] for answer in ANSWERS)
    return JudgeRow(name, len(table), new, partly, nothing, counts[NO_ANSWER], len(subtopics))


def _pair_row(a: str, b: str, answers: Answers) -> PairRow:
    result = novelty_agreement(answers[a], answers[b])
    (both, only_a), (only_b, neither) = result.pairs.to_numpy().tolist()
    return PairRow(
        a=a,
        b=b,
        documents=int(result.answers.to_numpy().sum()),
        kappa=f"{result.kappa:.2f}",
        pairs=both + only_a + only_b + neither,
        shared_by_both=both,
        shared_by_a=only_a,
        shared_by_b=only_b,
        pair_kappa=f"{result.pair_kappa:.2f}",
    )
