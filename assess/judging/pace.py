"""How long judgements took. All pages use this one rule.

A judgement has a time if its active time was recorded: it is above 0. Judgements from files that have no times, and
those of a page without JavaScript, have none. Times count for regular judgements that are settled: graded, or marked as
"cannot judge". A median is that of the times in whole tenths of a second, so that the database can count equal times.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Count, F, QuerySet

from assess.models import Judgement, JudgementKind, Member
from assess.pools.tasks import SETTLED

RECENT = 20  # judgements, few enough that the pace follows the work
TENTH_MS = 100
TENTHS = 10  # of a second

Times = Counter[int]  # how many judgements took 0, 1, ... whole tenths of a second


def timed(judgements: QuerySet[Judgement]) -> QuerySet[Judgement]:
    """Return those of the judgements whose time counts."""
    return judgements.filter(state__in=SETTLED, repeat=JudgementKind.REGULAR, active_ms__gt=0)


def times_by(field: str, judgements: QuerySet[Judgement]) -> dict[Any, Times]:
    """Return the times of the judgements, by the value of a field such as "member" or "task__topic"."""
    rows = timed(judgements).order_by().values_list(field, F("active_ms") / TENTH_MS).annotate(Count("pk"))
    times: dict[Hashable, Times] = defaultdict(Counter)
    for value, tenths, number in rows:
        times[value][tenths] += number
    return times


def median_seconds(times: Mapping[int, int] | None) -> float | None:
    """Return the median of times, in seconds; None without times."""
    number = sum(times.values()) if times else 0
    if not times or not number:
        return None
    middle = list(_at(times, {(number - 1) // 2, number // 2}))
    return sum(middle) / len(middle) / TENTHS


def together(parts: Iterable[Times]) -> Times:
    """Return the times of several parts as those of one."""
    times: Times = Counter()
    for part in parts:
        times.update(part)
    return times


def recent_times(member: Member) -> list[int]:
    """Return the active milliseconds of the assessor's last regular judgements, oldest first."""
    own = timed(Judgement.objects.filter(member=member))
    return list(own.order_by("-judged_at", "-pk").values_list("active_ms", flat=True)[:RECENT])[::-1]


def _at(counts: Mapping[int, int], ranks: set[int]) -> Iterator[int]:
    """Yield the values at these ranks, counted from 0."""
    below = 0
    for value, number in sorted(counts.items()):
        yield from (value for rank in ranks if below <= rank < below + number)
        below += number
