"""What is said of a task: its shape, its limits, and the one sentence that is wrong with it."""

from dataclasses import dataclass, field

from assess.errors import Refused
from assess.models import Input, Reason, State
from assess.models.judgement import MOST_CONFIDENT, Verdict

LONGEST_COMMENT = 5_000
LONGEST_MS = 24 * 3600 * 1000  # of one saying, and of all on one task together
LONGEST_TEXT = 2**31
MOST_PASSAGES = 200


@dataclass(frozen=True)
class JudgementInput:
    """What is said of a task. `check` gives the one sentence that is wrong with it."""

    state: str
    relevance: int | None = None
    reason: str = ""
    comment: str = ""
    confidence: int | None = None
    passages: list[list[int]] = field(default_factory=list)
    active_ms: int = 0
    away_ms: int = 0
    highlights: bool | None = None
    input: str = ""
    guidelines_version: int | None = None

    def check(self, scale: list[int]) -> None:
        if self.state not in State.values:
            raise Refused(f"State {self.state!r} is not known; a judgement is one of {', '.join(State.values)}.")
        if self.state == State.JUDGED and self.relevance not in scale:
            came = "No grade came" if self.relevance is None else f"Grade {self.relevance} is not on the scale"
            raise Refused(f"{came}; the grades are {', '.join(map(str, scale))}.")
        if self.state != State.JUDGED and self.relevance is not None:
            raise Refused(f"Grade {self.relevance} came with state {self.state}; only a judged document has a grade.")
        if self.state == State.CANNOT_JUDGE and self.reason not in Reason.values:
            raise Refused(f"Reason {self.reason!r} is not known; it is one of {', '.join(Reason.values)}.")
        if self.state != State.CANNOT_JUDGE and self.reason:
            raise Refused(f"A reason came with state {self.state}; only a document that cannot be judged has one.")
        if len(self.comment) > LONGEST_COMMENT or "\0" in self.comment:
            raise Refused(f"The comment is too long or not text; at most {LONGEST_COMMENT:,} characters are kept.")
        self._check_how()

    def _check_how(self) -> None:
        if self.confidence is not None and not 1 <= self.confidence <= MOST_CONFIDENT:
            raise Refused(f"Confidence {self.confidence} is not from 1 (unsure) to {MOST_CONFIDENT} (sure).")
        if not _are_passages(self.passages):
            raise Refused(f"Passages are pairs [start, end) of offsets, in order; at most {MOST_PASSAGES} are kept.")
        for name in ("active_ms", "away_ms"):
            if not 0 <= getattr(self, name) <= LONGEST_MS:
                raise Refused(f"{name} is {getattr(self, name)}; a time is between 0 ms and one day.")
        if self.input not in ("", *Input.values):
            raise Refused(f"Input {self.input!r} is not known; it is one of {', '.join(Input.values)}.")

    def verdict(self) -> dict:
        """The columns that a judgement and its event share, but for the times, which add up."""
        names = ("state", "relevance", "reason", "comment", "confidence", "passages")
        return {name: getattr(self, name) for name in (*names, "highlights", "input", "guidelines_version")}

    def same_as(self, verdict: Verdict) -> bool:
        names = ("state", "relevance", "reason", "comment", "confidence", "passages")
        return all(getattr(self, name) == getattr(verdict, name) for name in names)


def _are_passages(passages) -> bool:
    """Whether these are spans [start, end) of a text, one behind the other."""
    if not isinstance(passages, list) or len(passages) > MOST_PASSAGES:
        return False
    end = 0
    for span in passages:
        if not (isinstance(span, list) and len(span) == 2 and all(type(offset) is int for offset in span)):
            return False
        if not end <= span[0] < span[1] <= LONGEST_TEXT:
            return False
        end = span[1]
    return True
