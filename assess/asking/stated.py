"""What a release states about models: to which hosts documents went, which policy holds, and what was seen early."""

from collections.abc import Iterator

from assess.asking.policy import describe_policy, policy_of
from assess.asking.rules import rules_of
from assess.models import Collection, ModelJudge


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
