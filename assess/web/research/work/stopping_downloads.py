"""The tables and figures of the stopping pages as files. Pandas is imported inside the functions."""

from dataclasses import dataclass

from assess.errors import Refused
from assess.models import Collection, Member
from assess.web.figures.page import Page
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest
from assess.web.research.work.figures import draw_completeness, draw_gain, drawn_completeness
from assess.web.research.work.sample_forms import GoalForm
from assess.web.research.work.stopping_views import chosen_rel, topic_gain
from assess.work.completeness import completeness
from assess.work.stopping import TopicGain, curve_frame
from assess.work.stopping_table import StoppingRow, completeness_sentence, stopping_frame, stopping_rows


@dataclass(frozen=True)
class _Topic:
    """What judging found in a topic, where documents are relevant from the grade `rel` on."""

    gain: TopicGain
    rel: int


def _topic(request: SignedInRequest, member: Member, topic_id: int) -> _Topic:
    rel = chosen_rel(request, member.collection)
    return _Topic(topic_gain(member.collection, topic_id, rel), rel)


@dataclass(frozen=True)
class _Topics:
    """What judging found in all topics, or in those of a set."""

    collection: Collection
    rows: list[StoppingRow]
    rel: int


def _topics(request: SignedInRequest, member: Member) -> _Topics:
    query, collection = request.GET, member.collection
    goal, rel = GoalForm(query.dict()).goal(), chosen_rel(request, collection)
    return _Topics(collection, stopping_rows(collection, rel, goal, query.get("set", "")), rel)


def _every_topic(topics: _Topics) -> Table:
    return Table("stopping", stopping_frame(topics.rows))


def _drawn_topics(topics: _Topics, kind: str) -> bytes:
    if not (drawn := drawn_completeness(topics.rows)):
        raise Refused(completeness_sentence(topics.rows) or "There are no topics yet.")
    title = f"Completeness by capture-recapture, {topics.collection.name}"
    return draw_completeness(drawn, kind, title, f"Relevant: grade {topics.rel} or more from a person.")


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


STOPPING = Page(tables={"stopping": _every_topic}, figures={"completeness": _drawn_topics}, source=_topics)
STOPPING_TOPIC = Page(
    file="{name}-{topic_id}",
    tables={"gain": _curve, "completeness": _completeness},
    figures={"gain": _drawn_curve},
    source=_topic,
)
