"""The judgements of a class, from which every step computes its figures. Figures are cached until somebody judges."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

import pandas as pd
from django.conf import settings

import agreement
from assess.analysis.data import collection_judgements, judgements_state
from assess.collections.scale import check_threshold, lowest_relevant_grade, scale_of
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, Exercise, Grade
from assess.teaching.pairing import Participant, participants
from assess.teaching.reveal.words import joined_names
from pooling.words import count, percent

LESSON_SECONDS = 6 * 3600  # from the end of judging to the last step, with a break
# When a step is shown, all devices of a class ask for it at once: the first computes it and the others wait.
# The lock is reentrant because some figures are computed from others.
_computing = RLock()

P = ParamSpec("P")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Students:
    """The students of an exercise who judged something, and those with enough judgements to be compared.

    A sentence compares only students who judged at least the share `min_judged` of their documents. It says "in this
    exercise", because a class judges too few documents for a general conclusion.
    """

    judged: tuple[Participant, ...]
    min_judged: float

    @property
    def compared(self) -> list[str]:
        """The nicknames of the students with enough judgements, in the order of joining."""
        return [each.seat.nickname for each in self.judged if self._enough(each)]

    @property
    def is_enough(self) -> bool:
        """Whether two students can be compared."""
        return len(self.compared) >= 2

    def headline(self, sentence: str) -> str:
        """Return the sentence about the class, or that it is too early for one."""
        if self.is_enough:
            return f"In this exercise, {sentence}"
        return self._too_early_sentence()

    def too_early_for(self, *nicknames: str) -> str:
        """Return why students cannot be compared; empty if they can."""
        early = [each for each in self.judged if each.seat.nickname in nicknames and not self._enough(each)]
        if not early:
            return ""
        return f"Too early to say in this exercise: {self._listed(early)}, and {self._needed} are needed."

    def too_early_for_own(self, nickname: str) -> str:
        """Return why the student who reads the sentence cannot be compared; empty if they can."""
        if not self.is_enough:
            return self._too_early_sentence()
        own = next((each for each in self.judged if each.seat.nickname == nickname), None)
        if own is None or self._enough(own):
            return ""
        done = f"you judged {own.n_judged} of {count(own.n_assigned, 'document')}"
        return f"Too early to say in this exercise: {done}, and {percent(self.min_judged)} are needed."

    def left_out(self) -> str:
        """Return the students with too few judgements and their numbers; empty if there are none."""
        early = [each for each in self.judged if not self._enough(each)]
        return f"Too early to say: {self._listed(early)}, and {self._needed} are needed." if early else ""

    def _too_early_sentence(self) -> str:
        who = "only one student has" if self.compared else "no student has"
        return f"Too early to say in this exercise: {who} judged {self._needed}, and two students are needed."

    @property
    def _needed(self) -> str:
        return f"{percent(self.min_judged)} of their documents"

    def _enough(self, each: Participant) -> bool:
        return each.n_judged >= self.min_judged * each.n_assigned

    @staticmethod
    def _listed(early: Iterable[Participant]) -> str:
        return joined_names(f"{each.seat.nickname} judged {each.n_judged} of {each.n_assigned}" for each in early)


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
        return [each.seat.nickname for each in self.students.judged]

    @cached_property
    def students(self) -> Students:
        """The students who have graded a document, and which of them a sentence may compare."""
        judged = tuple(each for each in self.participants if each.has_judged)
        return Students(judged, settings.EXERCISE_MIN_JUDGED)

    @property
    def names_without_judgements(self) -> list[str]:
        return [each.seat.nickname for each in self.participants if not each.has_judged]

    def check_two_students(self) -> None:
        """Refuse if fewer than two students have judged something."""
        if len(self.names) < 2:
            who = f"only {self.names[0]} has" if self.names else "nobody has"
            raise Refused(f"At least two students must judge something before agreement can be shown; {who} so far.")

    def cached(
        self, compute: Callable[Concatenate["ClassJudgements", P], Result], *arguments: P.args, **keywords: P.kwargs
    ) -> Result:
        """Return `compute(self, *arguments)` from the cache of results. It must depend on nothing else.

        The results contain nicknames. Erasing a seat or an exercise deletes all results of the site, for all processes.
        """
        content = compute.__module__, compute.__qualname__, self._state, self.rel, arguments, keywords
        key = results.key_of("reveal", *content)
        result: Result | None = results.get(key)
        if result is None:
            with _computing:
                result = results.get(key)
                if result is None:
                    result = compute(self, *arguments, **keywords)
                    results.keep(key, result, LESSON_SECONDS)
        return result

    @cached_property
    def _state(self) -> tuple[Any, ...]:
        state = judgements_state(self.collection, self.collection.runs.all())
        return self.exercise.pk, state, settings.EXERCISE_MIN_JUDGED, settings.EXERCISE_MIN_TOP_JUDGED
