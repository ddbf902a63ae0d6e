"""Which documents people judge after a model. Without such a policy, no grade of a model counts for a task.

The model judges first. Then people get the documents where it is unsure or has no grade, those at the top of a ranking,
and a random sample with known inclusion probabilities, from which the trust report estimates. The gold that fits is
`corrected:NAME`: the grades of people, and the grade expected from the model's elsewhere. Loads pandas.

A release states the policy, to which hosts documents went, and what was seen early.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from assess import audit
from assess.asking.rules import rules_of
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import (
    Action,
    Collection,
    JudgeKind,
    Judgement,
    Member,
    ModelJudge,
    ModelPolicy,
    SampledFrom,
    SampledTask,
    State,
    User,
)
from assess.pools.assign import AssignResult, assign
from assess.pools.samples.draw import draw_sample
from assess.pools.tasks import pooled_tasks
from pooling.errors import shown
from pooling.words import count

MOST_TOP, MOST_SAMPLE = 1_000, 10_000
REASONS: Mapping[str, str] = {
    "no_grade": "the model has no grade",
    "unsure": "the model is unsure",
    "top": "at the top of a ranking",
    "sample": "in the random sample",
}


@dataclass(frozen=True)
class PolicyRule:
    """Where people judge after the model: below a probability, in the first ranks, in a sample of each topic.

    `judges` is the number of people for each of these documents.
    """

    judge: str
    unsure_below: float | None = None
    top: int | None = None
    per_topic: int | None = None
    judges: int = 1
    seed: int | None = None

    def check(self) -> None:
        """Raise Refused with the first error."""
        if self.unsure_below is None and self.top is None and self.per_topic is None:
            raise Refused("Choose where people judge: where the model is unsure, at the top, or in a random sample.")
        limits = (
            ("The probability", self.unsure_below, 0, 1),
            ("The rank", self.top, 1, MOST_TOP),
            ("The sample of a topic", self.per_topic, 1, MOST_SAMPLE),
        )
        for name, value, least, most in limits:
            if value is not None and not least <= value <= most:
                raise Refused(f"{name} must be between {least:,} and {most:,}, not {value:g}.")


def model_named(collection: Collection, name: str) -> Member:
    """Return the model judge with this name, asked here or imported. Refused if there is none."""
    models = collection.members.filter(role="assessor", imported_judge__kind=JudgeKind.MODEL)
    member = models.filter(name=name).first()
    if member is None:
        known = ", ".join(models.values_list("name", flat=True)[:5]) or "none yet"
        raise Refused(f"{collection} has no model judge {shown(name)}; it has {known}.")
    return member


def chosen_tasks(collection: Collection, rule: PolicyRule) -> dict[str, set[int]]:
    """Return the tasks that people get, by reason. The sample has what was drawn from the pool before."""
    member = model_named(collection, rule.judge)
    pooled = set(pooled_tasks(collection).values_list("pk", flat=True))
    judged = Judgement.objects.filter(member=member, repeat=0, state=State.JUDGED, task__in=pooled_tasks(collection))
    sure = dict(judged.values_list("task", "label_confidence"))
    found = {"no_grade": pooled - sure.keys()}
    if rule.unsure_below is not None:
        if sure and not any(share is not None for share in sure.values()):
            raise Refused(f"The grades of {member} have no probabilities, so nobody knows where it is unsure.")
        found["unsure"] = {task for task, share in sure.items() if share is None or share < rule.unsure_below}
    if rule.top is not None:
        top = pooled_tasks(collection).filter(provenance__best_rank__gte=1, provenance__best_rank__lte=rule.top)
        found["top"] = set(top.values_list("pk", flat=True))
    if rule.per_topic is not None:
        drawn = SampledTask.objects.filter(
            sample__topic__collection=collection, sample__population=SampledFrom.POOL, task__in=pooled
        )
        found["sample"] = set(drawn.values_list("task", flat=True))
    return found


def decide_policy(
    collection: Collection, rule: PolicyRule, actor: User | None = None
) -> tuple[ModelPolicy, AssignResult]:
    """Record a policy, draw its sample, and assign to people what it gives them. It takes the place of the former."""
    rule.check()
    member = model_named(collection, rule.judge)
    _check_has_judged(collection, member)
    with transaction.atomic():
        lock_active(collection)
        if rule.per_topic is not None:
            _draw(collection, rule, actor)
        tasks = chosen_tasks(collection, rule)
        wanted = set().union(*tasks.values())
        if not wanted:
            raise Refused("This rule gives no document to people. Choose a higher probability, rank or sample.")
        result = assign(collection, rule.judges, only=wanted)
        end_policies(collection)
        people = {reason: len(keys) for reason, keys in tasks.items()} | {"all": len(wanted)}
        policy = ModelPolicy.objects.create(
            collection=collection, judge=member, rule=asdict(rule), people=people, decided_by=actor
        )
        audit.record(Action.MODEL_POLICY, actor=actor, collection=collection, details={"policy": policy.pk, **people})
    return policy, result


@transaction.atomic
def end_policy(collection: Collection, actor: User | None = None) -> None:
    """End the policy: no model counts from now on. Assignments stay."""
    lock_active(collection)
    if not end_policies(collection):
        raise Refused(f"No policy holds in {collection}.")
    audit.record(Action.MODEL_POLICY, actor=actor, collection=collection, details={"ended": True})


def end_policies(collection: Collection) -> int:
    """Mark the policies that hold as ended, and return their number."""
    return collection.model_policies.filter(ended_at=None).update(ended_at=timezone.now())


def policy_of(collection: Collection) -> ModelPolicy | None:
    """Return the policy that holds."""
    return collection.model_policies.filter(ended_at=None).select_related("judge", "decided_by").first()


def describe_policy(policy: ModelPolicy) -> str:
    """Return a policy as a sentence."""
    rule, people = policy.rule, policy.people
    parts = {
        "no_grade": "where the model has no grade",
        "unsure": f"where its probability is below {rule['unsure_below']}",
        "top": f"in the first {count(rule['top'] or 0, 'rank')}",
        "sample": f"in a random sample of {rule['per_topic']} of each topic",
    }
    listed = [f"{parts[reason]} ({people[reason]:,})" for reason in REASONS if people.get(reason)]
    return f"{policy.judge} judges first. People judge {count(people['all'], 'document')}: {', '.join(listed)}."


def _check_has_judged(collection: Collection, member: Member) -> None:
    if not Judgement.objects.filter(member=member, repeat=0, state=State.JUDGED).exists():
        raise Refused(f"{member} has no grades in {collection} yet. Ask the model first.")


def _draw(collection: Collection, rule: PolicyRule, actor: User | None) -> None:
    """Enlarge the random sample of each topic of the pool that is smaller than the rule says."""
    size = rule.per_topic or 0
    if smaller := _topics_to_draw(collection, size):
        key = actor.pk if actor else None
        draw_sample(collection, size, query_ids=smaller, population=SampledFrom.POOL, seed=rule.seed, actor=key)


def _topics_to_draw(collection: Collection, size: int) -> list[str]:
    pools = dict(pooled_tasks(collection).order_by().values_list("topic__query_id").annotate(Count("pk")))
    samples = SampledTask.objects.filter(sample__topic__collection=collection, sample__population=SampledFrom.POOL)
    drawn = dict(samples.order_by().values_list("sample__topic__query_id").annotate(Count("pk")))
    return sorted(query_id for query_id, pool in pools.items() if drawn.get(query_id, 0) < min(size, pool))


def policy_record(collection: Collection) -> dict[str, Any] | None:
    """Return the policy that holds, for a release and the API; None if no model counts."""
    policy = policy_of(collection)
    if policy is None:
        return None
    return {
        "judge": policy.judge.name,
        "rule": policy.rule,
        "people": policy.people,
        "decided_at": policy.decided_at.isoformat(),
        "sentence": describe_policy(policy),
    }


def stated_about_models(collection: Collection) -> list[str]:
    """Return the sentences; none if the collection asks no model and nothing was decided."""
    return list(_sentences(collection))


def _sentences(collection: Collection) -> Iterator[str]:
    asked = collection.model_judges.exclude(member=None)
    if hosts := sorted({host for judge in asked if (host := judge.host)}):
        yield f"Topics and documents were sent to {', '.join(hosts)} to be judged by models."
    if asked.filter(kind=ModelJudge.Kind.OFFLINE).exists():
        yield "One judge compares words, and is no language model."
    if policy := policy_of(collection):
        yield describe_policy(policy)
    if rules_of(collection).show_early:
        yield "Models and people could see grades of each other before both had finished."
