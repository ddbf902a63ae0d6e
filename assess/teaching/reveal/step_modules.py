"""The modules that compute the figures of each step. Importing this module loads pandas."""

from typing import Any, Protocol

from assess.models import Seat
from assess.teaching.reveal import contested, everybody, matrix, pair, prevalence, ranking
from assess.teaching.reveal.class_judgements import ClassJudgements
from assess.teaching.reveal.query import RevealQuery


class StepModule(Protocol):
    """The functions that the module of a step has."""

    def figures(self, data: ClassJudgements, query: RevealQuery, /) -> Any: ...

    def own_figures(self, data: ClassJudgements, seat: Seat, /) -> Any: ...


STEP_MODULES: dict[str, StepModule] = {
    "pair": pair,
    "class": matrix,
    "all": everybody,
    "contested": contested,
    "prevalence": prevalence,
    "ranking": ranking,
}
