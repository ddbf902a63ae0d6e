"""The gold that a named rule derives from the judgements of a topic: what adaptive strategies learn from."""

from functools import lru_cache

from assess.collections.scale import check_threshold
from assess.errors import Refused
from assess.models import NOT_WITHDRAWN, Collection, Judgement, Role, State
from assess.pools.samples.entered import unreached_tasks

JUDGE = "judge:"


def check_order(collection: Collection, rule: str, rel: int) -> None:
    """Refuse a rule or a threshold that an adaptive order cannot have."""
    check_threshold(collection, rel)
    _check_rule(collection, rule)


def _check_rule(collection: Collection, rule: str) -> None:
    from agreement.golds.rules import MODELS, RULES, decision  # loads pandas

    if rule in MODELS:
        others = ", ".join([f"{JUDGE}NAME", *(name for name in RULES if name not in MODELS), "at_least:N"])
        raise Refused(
            f"Rule {rule!r} recomputes every document after each judgement, which takes too long; choose one of "
            f"{others}."
        )
    try:
        decision(rule)
    except ValueError as error:
        raise Refused(str(error)) from None
    if rule.startswith(JUDGE):
        names = list(collection.members.filter(role=Role.ASSESSOR).values_list("name", flat=True))
        if rule.removeprefix(JUDGE) not in names:
            raise Refused(
                f"Rule {rule!r} must name an assessor of {collection}: {', '.join(names) or 'there are none'}."
            )


def decided_documents(topic: int, rule: str, rel: int) -> tuple[dict[str, float], int]:
    """Return the relevance of each document of the topic that the rule decides, and the number of events.

    Documents are in the order of their first judgement. Relevant documents have the relevance `rel`, others 0. What
    only a random sample brought into the pool does not count: the order of the review must not depend on the sample.
    """
    unreached = unreached_tasks(topic)
    rows = (
        Judgement.objects.filter(NOT_WITHDRAWN, task__topic=topic)
        .order_by("judged_at", "pk")
        .values_list(
            "version",
            "state",
            "repeat",
            "member__role",
            "member__name",
            "task__document__doc_id",
            "relevance",
            "task",
        )
    )
    named = rule.removeprefix(JUDGE) if rule.startswith(JUDGE) else None
    events = 0
    votes: dict[str, list[int]] = {}
    for version, *kind, name, doc_id, grade, task in rows:
        events += version
        if task in unreached:
            continue
        if kind == [State.JUDGED, 0, Role.ASSESSOR] and named in (None, name) and grade is not None:
            votes.setdefault(doc_id, []).append(grade)
    decisions = {doc_id: _decide(rule, rel, tuple(sorted(grades))) for doc_id, grades in votes.items()}
    return {doc_id: rel * decision for doc_id, decision in decisions.items() if decision is not None}, events


@lru_cache(maxsize=10_000)
def _decide(rule: str, rel: int, grades: tuple[int, ...]) -> int | None:
    """Apply the rule to the grades of one document: 1 relevant, 0 nonrelevant, None undecided.

    The allowed rules depend only on the grades of the document itself, so there are few different calls; each result
    is cached.
    """
    import pandas as pd  # slow to import

    from agreement.golds.make_gold import make_gold

    names = [str(number) for number in range(len(grades))]
    frame = pd.DataFrame({"assessor": names, "query_id": "", "doc_id": "", "relevance": grades})
    rule = f"{JUDGE}0" if rule.startswith(JUDGE) else rule  # only this judge's grades are passed
    decided = make_gold(frame, rule, rel)["relevance"]
    return int(decided.iloc[0]) if len(decided) else None
