"""Asks models to judge: prompts, the reading of answers, and chat endpoints.

A *model judge* is an endpoint, a model, a prompt and parameters. Nothing of runs enters a prompt: no system, rank or
score.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pooling.models.chat import ChatEndpoint, ChatFailed
    from pooling.models.grades import ModelGrade, grade_probabilities, read_grade
    from pooling.models.prompts import PROMPTS, Prompt

_HOMES = {
    "ChatEndpoint": "chat",
    "ChatFailed": "chat",
    "ModelGrade": "grades",
    "PROMPTS": "prompts",
    "Prompt": "prompts",
    "grade_probabilities": "grades",
    "read_grade": "grades",
}
__all__ = ["PROMPTS", "ChatEndpoint", "ChatFailed", "ModelGrade", "Prompt", "grade_probabilities", "read_grade"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"pooling.models.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
