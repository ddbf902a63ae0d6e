"""The tables and their constraints."""

from assess.models.account import Preferences, ResetLink, Session, SignInCount, Theme, User
from assess.models.adaptive import AdaptiveOrder
from assess.models.adjudication import AdjudicatedTask, Adjudication, GradesOpening, NormingRound
from assess.models.audit import Action, AuditEvent
from assess.models.collection import (
    Collection,
    Document,
    DocumentContent,
    Grade,
    Guidelines,
    Member,
    Role,
    Run,
    TextFormat,
    Topic,
)
from assess.models.exercise import Exercise, Phase, Seat, SeatToken, Tombstone, WorksheetAnswer, WrongCodeCount
from assess.models.imported import (
    ImportedFile,
    ImportedJudge,
    ImportKind,
    ImportRecord,
    JudgeKind,
    JudgementImport,
    Upload,
)
from assess.models.job import Job, JobState, Worker
from assess.models.judgement import (
    Checkpoint,
    ErasurePermit,
    Input,
    Judgement,
    JudgementEvent,
    Reason,
    State,
    TopicFeedback,
)
from assess.models.links import Invitation, OwnerLink
from assess.models.pool import Assignment, Pilot, PoolBuilding, PoolChange, Provenance, Reminder, Task
from assess.models.release import Release
from assess.models.rules import JudgementKind, JudgingRules, Order, Passages

__all__ = [
    "Action",
    "AdaptiveOrder",
    "AdjudicatedTask",
    "Adjudication",
    "Assignment",
    "AuditEvent",
    "Checkpoint",
    "Collection",
    "Document",
    "DocumentContent",
    "ErasurePermit",
    "Exercise",
    "Grade",
    "GradesOpening",
    "Guidelines",
    "ImportKind",
    "ImportRecord",
    "ImportedFile",
    "ImportedJudge",
    "Input",
    "Invitation",
    "Job",
    "JobState",
    "JudgeKind",
    "Judgement",
    "JudgementEvent",
    "JudgementImport",
    "JudgementKind",
    "JudgingRules",
    "Member",
    "NormingRound",
    "Order",
    "OwnerLink",
    "Passages",
    "Phase",
    "Pilot",
    "PoolBuilding",
    "PoolChange",
    "Preferences",
    "Provenance",
    "Reason",
    "Release",
    "Reminder",
    "ResetLink",
    "Role",
    "Run",
    "Seat",
    "SeatToken",
    "Session",
    "SignInCount",
    "State",
    "Task",
    "TextFormat",
    "Theme",
    "Tombstone",
    "Topic",
    "TopicFeedback",
    "Upload",
    "User",
    "Worker",
    "WorksheetAnswer",
    "WrongCodeCount",
]
