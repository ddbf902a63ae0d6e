"""What assessors answered about marginal relevance: their subtopics, and how far they agree. Loads pandas.

The answers are those of current regular judgements with a relevant grade, every grade above the lowest. Documents
without an answer count as new; they are counted separately.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd
from django.db.models import Count, OuterRef, QuerySet, Subquery

from agreement.novelty import diversity_qrels, make_subtopics, novelty_agreement
from agreement.novelty.answers import ANSWERS, COLUMNS, NO_ANSWER
from assess.analysis.data import judgements_state
from assess.analysis.selection import Selection
from assess.collections.scale import lowest_relevant_grade
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused, as_sentence
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Judgement, MarginalAnswer, State, TopicSet, User
from pooling.errors import shown

JUDGE = "judge:"
ONLY_JUDGE = "only_judge"
JUDGE_COLUMNS = ["judge", "relevant", "new", "partly", "nothing", "unanswered", "subtopics"]
PAIR_COLUMNS = [
    *("judge_a", "judge_b", "documents", "kappa", "kappa_reason", "pairs", "shared_by_both", "shared_by_a"),
    *("shared_by_b", "pair_kappa", "pair_kappa_reason"),
]
PAIRS_AT_ONCE = 500_000  # pairs of documents, for all pairs of judges together: less than a second

Answers = dict[str, pd.DataFrame]  # by the pseudonym of the assessor


@dataclass(frozen=True)
class MarginalReport:
    """What the assessors answered, as two tables.

    Attributes
    ----------
    answers : DataFrame
        A row for each assessor: judge, relevant (documents), the number of these with each answer (new, partly,
        nothing) or with none (unanswered), and subtopics (in all topics).
    pairs : DataFrame
        A row for each pair of assessors, judge_a and judge_b. documents have answers of both, and kappa compares these.
        pairs of documents are relevant for both, and share a subtopic for both, only a or only b; pair_kappa compares
        these. A kappa is Cohen's; it is missing if its _reason says why it is undefined.
    """

    answers: pd.DataFrame
    pairs: pd.DataFrame


def report_or_pending(collection: Collection, user: User, topics: Sequence[str]) -> MarginalReport:
    """Return the report on these topics (all if there are none), or raise Pending if it takes more than a moment."""
    key = results.key_of("marginal", judgements_state(collection, ()), tuple(topics))
    if (known := results.get(key)) is not None:
        return known  # type: ignore[no-any-return]
    if _count_pairs(collection, topics) <= PAIRS_AT_ONCE:
        return _keep_report(collection, key, topics)
    report: MarginalReport = known_or_pending("marginal", collection, user, key, {"topics": list(topics)})
    return report


def compute_report(collection: Collection, key: str, topics: Sequence[str]) -> Started:
    """Compute the report for the cache of results: the function of the job `marginal`."""
    _keep_report(collection, key, topics)
    return Started(key)


def _keep_report(collection: Collection, key: str, topics: Sequence[str]) -> MarginalReport:
    report = marginal_report(collection, topics)
    results.keep(key, report)
    return report


def _count_pairs(collection: Collection, topics: Sequence[str]) -> int:
    """Return at most how many pairs of documents are compared, in every topic and for every pair of judges."""
    counts: dict[int, list[int]] = {}
    rows = _relevant(collection, topics).values("task__topic", "member").order_by("task__topic", "member")
    for topic, count in rows.annotate(count=Count("pk")).values_list("task__topic", "count"):
        counts.setdefault(topic, []).append(count)
    return sum(min(pair) ** 2 // 2 for of_topic in counts.values() for pair in combinations(of_topic, 2))


def _relevant(collection: Collection, topics: Sequence[str]) -> QuerySet[Judgement]:
    judged = Selection(topics=tuple(topics)).judgements(collection).filter(state=State.JUDGED)
    return judged.filter(relevance__gte=lowest_relevant_grade(collection))


def marginal_answers(collection: Collection, topics: Sequence[str] = ()) -> Answers:
    """Return the answer table (`agreement.novelty.answers`) of each assessor who gave an answer.

    `topics` are query_ids; none means all.
    """
    of_last_event = MarginalAnswer.objects.filter(event__judgement=OuterRef("pk"), event__version=OuterRef("version"))
    rows = (
        _relevant(collection, topics)
        .annotate(answer=Subquery(of_last_event.values("answer")), repeats=Subquery(of_last_event.values("repeats")))
        .order_by("judged_at", "pk")
        .values_list("member__name", "task__topic__query_id", "task__document__doc_id", "answer", "repeats")
    )
    by_judge: dict[str, list[tuple[str, str, str, list[str]]]] = {}
    for name, query_id, doc_id, answer, repeats in rows:
        by_judge.setdefault(name, []).append((query_id, doc_id, answer or NO_ANSWER, repeats or []))
    answered = {name: each for name, each in sorted(by_judge.items()) if any(row[2] for row in each)}
    return {name: pd.DataFrame(each, columns=list(COLUMNS)) for name, each in answered.items()}


def marginal_report(collection: Collection, topics: Sequence[str] = ()) -> MarginalReport:
    """Count the answers of each assessor, and compare each pair."""
    answers = marginal_answers(collection, topics)
    judges = [_judge_row(name, table) for name, table in answers.items()]
    pairs = [_pair_row(a, b, answers) for a, b in combinations(answers, 2)]
    return MarginalReport(pd.DataFrame(judges, columns=JUDGE_COLUMNS), pd.DataFrame(pairs, columns=PAIR_COLUMNS))


def export_diversity_qrels(collection: Collection, rule: str, topic_set: str = "") -> bytes:
    """Return the subtopics of one judge (`judge:NAME`), or of each topic's only judge (`only_judge`).

    With `topic_set`, only those of the topics of this set.
    """
    answers = marginal_answers(collection, topics_in_set(collection, topic_set))
    if not answers:
        where = f" in the {TopicSet(topic_set).label}" if topic_set else ""
        raise Refused(f"Nobody has answered yet whether a relevant document of {collection}{where} adds something new.")
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


def _judge_row(name: str, table: pd.DataFrame) -> tuple[object, ...]:
    counts = Counter(table["answer"])
    subtopics = make_subtopics(table)[["query_id", "subtopic"]].drop_duplicates()
    new, partly, nothing = (counts[answer] for answer in ANSWERS)
    return name, len(table), new, partly, nothing, counts[NO_ANSWER], len(subtopics)


def _pair_row(a: str, b: str, answers: Answers) -> tuple[object, ...]:
    result = novelty_agreement(answers[a], answers[b])
    (both, only_a), (only_b, neither) = result.pairs.to_numpy().tolist()
    kappa, pair_kappa = result.kappa, result.pair_kappa
    documents = int(result.answers.to_numpy().sum())
    pairs = both + only_a + only_b + neither, both, only_a, only_b
    return a, b, documents, kappa.value, kappa.reason, *pairs, pair_kappa.value, pair_kappa.reason
