"""The tables and their constraints."""

from assess.models.account import Preferences, ResetLink, Session, SignInCount, Theme, User
from assess.models.adaptive import AdaptiveOrder
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
from assess.models.erasure_permit import ErasurePermit
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
from assess.models.judgement import Checkpoint, Input, Judgement, JudgementEvent, Reason, State
from assess.models.links import Invitation, OwnerLink
from assess.models.pool import Assignment, Pilot, PoolBuilding, PoolChange, Provenance, Reminder, Task
from assess.models.rules import JudgingRules, Order, Passages
from assess.models.topic_feedback import TopicFeedback

__all__ = [
    "Action",
    "AdaptiveOrder",
    "Assignment",
    "AuditEvent",
    "Checkpoint",
    "Collection",
    "Document",
    "DocumentContent",
    "ErasurePermit",
    "Exercise",
    "Grade",
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
    "JudgingRules",
    "Member",
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
