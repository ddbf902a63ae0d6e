"""The tables and the gain curve of the stopping pages as files. Pandas is imported inside the functions."""

from dataclasses import dataclass

from assess.models import Member
from assess.web.figures.page import Asked, Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.work.figures import draw_gain
from assess.web.research.work.sample_forms import GoalForm
from assess.web.research.work.stopping_views import chosen_rel, topic_gain
from assess.work.completeness import completeness
from assess.work.stopping import TopicGain, curve_frame
from assess.work.stopping_table import stopping_frame, stopping_rows


@dataclass(frozen=True)
class _Topic:
    """What judging found in a topic, where documents are relevant from the grade `rel` on."""

    gain: TopicGain
    rel: int


def _topic(request: SignedInRequest, member: Member, topic_id: int) -> _Topic:
    rel = chosen_rel(request, member.collection)
    return _Topic(topic_gain(member.collection, topic_id, rel), rel)


def _topics(asked: Asked) -> Table:
    """All figures of each topic, or of each topic of a set."""
    query, collection = asked.request.GET, asked.member.collection
    goal, topic_set = GoalForm(query.dict()).goal(), query.get("set", "")
    rows = stopping_rows(collection, chosen_rel(asked.request, collection), goal, topic_set)
    return Table("stopping", stopping_frame(rows))


def _curve(topic: _Topic) -> Table:
    return Table("gain", curve_frame(topic.gain))


def _completeness(topic: _Topic) -> Table:
    """The completeness by capture-recapture; only a header if fewer than two systems contributed."""
    import pandas as pd  # slow to import

    estimates = completeness(topic.gain)
    frame = pd.DataFrame(columns=["source"]) if estimates is None else estimates.pairs
    frame.insert(0, "query_id", topic.gain.topic.query_id)
    return Table("completeness", frame)


def _drawn_curve(topic: _Topic, kind: str) -> bytes:
    title = f"Topic {topic.gain.topic.query_id}: {topic.gain.topic.title}"
    return draw_gain(topic.gain, kind, title, f"Relevant: grade {topic.rel} or more from a person.")


STOPPING = Page(tables={"stopping": _topics})
STOPPING_TOPIC = Page(
    file="{name}-{topic_id}",
    tables={"gain": _curve, "completeness": _completeness},
    figures={"gain": _drawn_curve},
    source=_topic,
)
