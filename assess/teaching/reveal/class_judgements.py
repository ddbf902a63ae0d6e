"""The judgements of a class, from which every step computes its figures. Figures are cached until somebody judges."""

import hashlib
from collections.abc import Callable
from functools import cached_property
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypedDict, TypeVar

import pandas as pd
from django.core.cache import cache

import agreement
from assess.analysis.data import collection_judgements
from assess.analysis.shift import CLASS_CACHE_SECONDS, judgements_state
from assess.collections.scale import check_threshold, lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection, Exercise, Grade
from assess.teaching.pairing import Participant, participants

DRAWS = 1000
# When a step is shown, all devices of a class ask for it at once: the first computes it and the others wait.
# The lock is reentrant because some figures are computed from others.
_computing = RLock()

P = ParamSpec("P")
Result = TypeVar("Result")


class IntervalOptions(TypedDict):
    interval: str
    seed: int
    draws: int


class ClassJudgements:
    """The judgements of an exercise, made binary at grade `rel`, or with all grades if `rel` is None."""

    def __init__(self, exercise: Exercise, rel: int | None) -> None:
        self.exercise, self.rel = exercise, rel

    @property
    def collection(self) -> Collection:
        return self.exercise.collection

    @cached_property
    def judgements(self) -> pd.DataFrame:
        return collection_judgements(self.collection)

    @cached_property
    def graded_ratings(self) -> agreement.Ratings:
        """The ratings with all grades of the scale."""
        return agreement.Ratings.from_judgements(self.judgements, self.scale)

    @cached_property
    def ratings(self) -> agreement.Ratings:
        """The ratings, made binary unless `rel` is None."""
        if self.rel is None:
            return self.graded_ratings
        check_threshold(self.collection, self.rel)
        return self.graded_ratings.binary(self.rel)

    @cached_property
    def threshold(self) -> int:
        """The lowest grade that counts as relevant, for figures that need binary judgements."""
        return lowest_relevant_grade(self.collection) if self.rel is None else self.rel

    @cached_property
    def scale(self) -> tuple[int, ...]:
        return scale_of(self.collection)

    @cached_property
    def grades(self) -> list[Grade]:
        return list(self.collection.grades.all())

    @cached_property
    def participants(self) -> list[Participant]:
        return participants(self.exercise)

    @cached_property
    def names(self) -> list[str]:
        """The students who have graded a document, in the order of joining."""
        return [each.seat.nickname for each in self.participants if each.has_judged]

    @property
    def names_without_judgements(self) -> list[str]:
        return [each.seat.nickname for each in self.participants if not each.has_judged]

    @property
    def interval_options(self) -> IntervalOptions:
        """How intervals are computed: topics are resampled, then documents, with the exercise's seed."""
        return {"interval": "topics", "seed": self.exercise.seed, "draws": DRAWS}

    def check_two_students(self) -> None:
        """Refuse if fewer than two students have judged something."""
        if len(self.names) < 2:
            who = f"only {self.names[0]} has" if self.names else "nobody has"
            raise Refused(f"At least two students must judge something before agreement can be shown; {who} so far.")

    def cached(
        self, compute: Callable[Concatenate["ClassJudgements", P], Result], *arguments: P.args, **keywords: P.kwargs
    ) -> Result:
        """Return `compute(self, *arguments)` from the cache. It must depend on nothing else.

        The result is cached for two minutes at most, because it contains nicknames and other processes do not learn
        of an erasure.
        """
        content = repr((compute.__module__, compute.__qualname__, self._state, self.rel, arguments, keywords))
        key = f"reveal:{hashlib.sha256(content.encode()).hexdigest()}"
        result: Result | None = cache.get(key)
        if result is None:
            with _computing:
                result = cache.get(key)
                if result is None:
                    result = compute(self, *arguments, **keywords)
                    cache.set(key, result, CLASS_CACHE_SECONDS)
        return result

    @cached_property
    def _state(self) -> tuple[Any, ...]:
        return self.exercise.pk, judgements_state(self.collection, self.collection.runs.all())
