"""Asks models to judge: prompts, the reading of answers, and chat endpoints.

A *model judge* is an endpoint, a model, a prompt and parameters. Nothing of runs enters a prompt: no system, rank or
score.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pooling.models.ask import Budget, Pair, PairAnswer, ask_pairs, request_key
    from pooling.models.chat import ChatEndpoint, ChatFailed
    from pooling.models.grades import ModelGrade, grade_probabilities, read_grade
    from pooling.models.prompts import PROMPTS, Prompt, ScaleGrade

_HOMES = {
    "Budget": "ask",
    "ChatEndpoint": "chat",
    "ChatFailed": "chat",
    "ModelGrade": "grades",
    "PROMPTS": "prompts",
    "Pair": "ask",
    "PairAnswer": "ask",
    "Prompt": "prompts",
    "ScaleGrade": "prompts",
    "ask_pairs": "ask",
    "grade_probabilities": "grades",
    "read_grade": "grades",
    "request_key": "ask",
}
__all__ = [
    "PROMPTS",
    "Budget",
    "ChatEndpoint",
    "ChatFailed",
    "ModelGrade",
    "Pair",
    "PairAnswer",
    "Prompt",
    "ScaleGrade",
    "ask_pairs",
    "grade_probabilities",
    "read_grade",
    "request_key",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"pooling.models.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
