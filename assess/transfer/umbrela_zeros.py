"""Warns of the grades 0 of imported judges that name UMBRELA: its files do not show which zeros are real.

A judge names it in its name or record, in small or capital letters. Judges that the site asks itself are left out,
because their answers are read one by one.
"""

from collections.abc import Iterable

from django.db.models import Count, Q

from assess.models import Collection, ImportedJudge, Judgement, JudgementKind, State
from pooling.words import count

NAME = "umbrela"
FIELDS = ("member__name", "model", "prompt", "prompt_version", "description")


def zeros_warnings(collection: Collection, members: Iterable[int] | None = None) -> list[str]:
    """Return a sentence for each judge that names UMBRELA and has grades 0. `members` are keys of judges; None: all."""
    named = Q()
    for field in FIELDS:
        named |= Q(**{f"{field}__icontains": NAME})
    judges = ImportedJudge.objects.filter(named, member__collection=collection, member__model_judge=None)
    if members is not None:
        judges = judges.filter(member__in=list(members))
    found = Judgement.objects.filter(
        member__in=judges.values("member"), repeat=JudgementKind.REGULAR, state=State.JUDGED, relevance=0
    )
    zeros = found.order_by("member__name").values_list("member__name").annotate(n=Count("pk"))
    return [_sentence(name, n) for name, n in zeros]


def _sentence(name: str, zeros: int) -> str:
    from pooling.models import ZERO_WARNING  # loads the HTTP client

    return f"{count(zeros, 'grade')} of 0 by {name} may be none: {ZERO_WARNING}"
