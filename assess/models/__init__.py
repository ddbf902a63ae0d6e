"""The tables. Models own the constraints; the domain modules own the deeds."""

from assess.models.account import User
from assess.models.collection import Collection, Document, Grade, Guidelines, Member, Role, Run, Topic
from assess.models.judgement import Judgement, JudgementEvent, Reason, State
from assess.models.pool import Assignment, PoolBuilding, Provenance, Task

__all__ = [
    "Assignment",
    "Collection",
    "Document",
    "Grade",
    "Guidelines",
    "Judgement",
    "JudgementEvent",
    "Member",
    "PoolBuilding",
    "Provenance",
    "Reason",
    "Role",
    "Run",
    "State",
    "Task",
    "Topic",
    "User",
]
