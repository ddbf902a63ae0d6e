"""The choices of the page on model judges: judge, gold of people, measure and set of topics. They are in its address.

This module does not load pandas.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from assess.analysis.query import suggested_measures
from assess.analysis.reference import default_reference, golds_of_people, judges_of
from assess.collections.topic_sets import topics_in_set
from assess.errors import Refused
from assess.models import Collection, JudgeKind
from pooling.errors import shown

MOST_LETTERS = 200  # of a measure


@dataclass(frozen=True)
class ModelChoices:
    """What the page is asked for.

    `judge` is a model, empty if none has judged. `people` is a gold that has grades of people only, empty if no person
    has judged; `sentence` says why it is used. `topics` are query_ids, none for all.
    """

    judge: str
    people: str
    sentence: str
    measure: str
    topic_set: str
    topics: tuple[str, ...]
    judges: tuple[str, ...]
    golds: tuple[str, ...]

    def query(self, **others: str) -> str:
        """Return the query string of an address with these choices."""
        values = {"judge": self.judge, "people": self.people, "measure": self.measure, "set": self.topic_set}
        return "?" + urlencode({name: value for name, value in (values | others).items() if value})


def choices_of(query: Mapping[str, str], collection: Collection) -> ModelChoices:
    """Return the choices of an address, with defaults. Refused if a judge or a gold is unknown."""
    topic_set = query.get("set", "")
    topics = topics_in_set(collection, topic_set)
    judges = judges_of(collection, topics)
    models = tuple(name for name in judges.names if judges.kinds[name] == JudgeKind.MODEL)
    golds = golds_of_people(collection, judges)
    default = default_reference(collection, judges, golds) if golds else None
    people = _one_of("people", query.get("people", ""), golds, default.rule if default else "")
    return ModelChoices(
        judge=_one_of("judge", query.get("judge", ""), models, models[0] if models else ""),
        people=people,
        sentence=default.describe(people) if default else "",
        measure=_measure(query.get("measure", ""), collection),
        topic_set=topic_set,
        topics=topics,
        judges=models,
        golds=golds,
    )


def _measure(text: str, collection: Collection) -> str:
    if len(text) > MOST_LETTERS or not text.isprintable():
        raise Refused(f"measure must be a measure such as nDCG@10, not {shown(text)}.")
    return text or suggested_measures(collection)[0]


def _one_of(name: str, asked: str, allowed: tuple[str, ...], default: str) -> str:
    if asked and asked not in allowed:
        listed = ", ".join(allowed[:5]) + (", ..." if len(allowed) > 5 else "")
        raise Refused(f"{name} must be one of {listed or 'none, because there is none yet'}, not {shown(asked)}.")
    return asked or default
