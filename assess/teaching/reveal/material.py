"""What every step rests on: the class, and its judgements. Figures are kept as long as nothing changes."""

import hashlib
from collections.abc import Callable
from functools import cached_property
from threading import RLock

import pandas as pd
from django.core.cache import cache

import agreement
from assess.analysis.data import collection_judgements
from assess.analysis.shift import CLASS_CACHE_SECONDS, judgements_state
from assess.collections.scale import check_threshold, lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.models import Collection, Exercise, Grade, Seat
from assess.teaching import pairing

DRAWS = 1000
# When a step is shown, forty devices ask for it at once: the first computes, and the others wait for it.
_computing = RLock()  # figures may rest on others


class Material:
    """The judgements of an exercise, cut in two at `rel`, or on every grade by itself (None)."""

    def __init__(self, exercise: Exercise, rel: int | None):
        self.exercise, self.rel = exercise, rel

    @property
    def collection(self) -> Collection:
        return self.exercise.collection

    @cached_property
    def judgements(self) -> pd.DataFrame:
        return collection_judgements(self.collection)

    @cached_property
    def every_grade(self) -> agreement.Ratings:
        return agreement.Ratings.from_judgements(self.judgements, self.scale)

    @cached_property
    def ratings(self) -> agreement.Ratings:
        if self.rel is None:
            return self.every_grade
        check_threshold(self.collection, self.rel)
        return self.every_grade.binary(self.rel)

    @cached_property
    def threshold(self) -> int:
        """From which grade on a document is relevant, where it has to be one or the other."""
        return lowest_relevant_grade(self.collection) if self.rel is None else self.rel

    @cached_property
    def scale(self) -> tuple[int, ...]:
        return scale_of(self.collection)

    @cached_property
    def grades(self) -> list[Grade]:
        return list(self.collection.grades.all())

    @cached_property
    def names(self) -> list[str]:
        """The students who judged something, in the order of joining."""
        return [seat.nickname for seat in self.seats if seat.has_judged]

    @property
    def idle(self) -> list[str]:
        return [seat.nickname for seat in self.seats if not seat.has_judged]

    @cached_property
    def seats(self) -> list[Seat]:
        return pairing.seats_of(self.exercise)

    @property
    def chance(self) -> dict:
        """How intervals are made: topics are resampled, then documents, from the exercise's own seed."""
        return {"interval": "topics", "seed": self.exercise.seed, "draws": DRAWS}

    def need_two(self) -> None:
        """Refuse where there is nobody to compare."""
        if len(self.names) < 2:
            came = f"only {self.names[0]} did" if self.names else "nobody did"
            raise Refused(f"Two students or more have to judge something before there is agreement to show; {came}.")

    def kept(self, make: Callable, *asked):
        """What `make(material, *asked)` gives, kept for two minutes, as long as nobody judges; it has no other input.

        No longer, since nicknames are in it: another process learns nothing of an erasure.
        """
        content = repr((make.__module__, make.__qualname__, self._state, self.rel, asked))
        key = f"reveal:{hashlib.sha256(content.encode()).hexdigest()}"
        found = cache.get(key)
        if found is None:
            with _computing:
                found = cache.get(key)
                if found is None:
                    found = make(self, *asked)
                    cache.set(key, found, CLASS_CACHE_SECONDS)
        return found

    @cached_property
    def _state(self) -> tuple:
        return self.exercise.pk, judgements_state(self.collection, self.collection.runs.all())
