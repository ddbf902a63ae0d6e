"""What a release is computed from, next to the ledger: the choices of the researcher and the state at that time.

It is stored with the release and written to its file `release.json`, so that the release can be computed again, also in
another database with the same ledger.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

PERSON, IMPORTED = "person", "kind not stated"  # the kinds of members whose kind no import stated
Chain = list[int | str]  # member's primary key, number of events, hash of the last one


@dataclass(frozen=True)
class ReleasedMember:
    """A member with judgements in the release. `kind` is person or what is known about an imported judge.

    The regular judgements of a member that is no judge (such as an adjudicator) count for no gold. `record` is what is
    known about a model: model, prompt, prompt_version, parameters and graded_on, as texts, without those not stated.
    """

    pk: int
    name: str
    kind: str
    is_judge: bool
    record: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the values as JSON. Without a record, they are those that earlier versions of Assay wrote."""
        return {name: value for name, value in asdict(self).items() if value or name != "record"}


@dataclass(frozen=True)
class Facts:
    """What the ledger does not contain: how decisions came about, and the roles of people at the time.

    `decided` counts the adjudicated documents and `blind` those whose adjudicator had not seen the grades. `undecided`
    counts documents whose adjudication is open. `researching_judges` counts judges who were researchers too.
    """

    decided: int = 0
    blind: int = 0
    undecided: int = 0
    researching_judges: int = 0


@dataclass(frozen=True)
class ModelSettings:
    """What the report on model judges needs beside the ledger.

    `reference` is the gold that was chosen as the reference of the collection, empty for none. `groups` has the group
    of each run that belongs to one, by system.
    """

    reference: str = ""
    groups: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PreviousVersion:
    """The version before this one. `has_grades` is false if its files had been deleted."""

    version: int
    manifest_sha256: str
    has_grades: bool


@dataclass(frozen=True)
class ChangeLogEntry:
    """What a researcher wrote about a version, and the qrels lines that changed; None if that is unknown."""

    version: int
    created_at: str
    notes: str
    added: int | None = None
    changed: int | None = None
    removed: int | None = None


@dataclass(frozen=True)
class ReleaseSpec:
    """`rel` is None for a graded gold. `query_ids`, `members`, `systems`, `buildings` (primary keys) and `guidelines`
    (the number of versions) are what the collection had, so that later additions do not change the release.

    `judges` and `topics` are the chosen ones, empty for all. `rounding` says how fractional grades become whole ones.
    `topic_sets` has the set, development or test, of each topic that belongs to one. `marginal` says whether assessors
    answered what relevant documents add, so that the file of the judgements has the answers. `sighted` has the role in
    which a member could see the runs before an owner allowed them to judge, by name. `blindness` has since when there
    were runs, and the roles of each person over time, from which the certificates of the judges are computed.
    `model_judges` has the settings of the report on model judges, if a judge is a model. `suggestions` are the names of
    the models whose grades assessors saw next to the documents.
    """

    collection: str
    title: str
    name: str
    version: int
    rule: str
    rel: int | None
    judges: list[str]
    topics: list[str]
    notes: str
    authors: str
    licence: str
    measure: str
    rounding: str
    created_at: str
    seed: int
    checkpoint: str
    events: int
    chains: list[Chain]
    members: list[ReleasedMember]
    query_ids: list[str]
    systems: list[str]
    buildings: list[int]
    guidelines: int
    min_topics: int
    min_documents: int
    min_judged: float
    agreement_rel: int | None
    facts: Facts = Facts()
    previous: PreviousVersion | None = None
    log: list[ChangeLogEntry] = field(default_factory=list)
    topic_sets: dict[str, str] = field(default_factory=dict)
    marginal: bool = False
    sighted: dict[str, str] = field(default_factory=dict)
    blindness: dict[str, Any] = field(default_factory=dict)
    model_judges: ModelSettings | None = None
    about_models: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)

    @property
    def file_name(self) -> str:
        """The name of the folder and of the zip file, without ending."""
        return f"{self.name}-{self.version}"

    @property
    def date(self) -> str:
        return self.created_at[:10]

    def to_json(self) -> dict[str, Any]:
        """Return the values as JSON. Without those of LATER, they are those that earlier versions of Assay wrote."""
        values = asdict(self) | {"members": [member.to_json() for member in self.members]}
        return {name: value for name, value in values.items() if value or name not in LATER}

    def to_bytes(self) -> bytes:
        """The content of `release.json`. Keys are sorted, because PostgreSQL does not keep their order."""
        return (json.dumps(self.to_json(), indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "ReleaseSpec":
        """Return the specification. Raises TypeError or KeyError if the values are not one."""
        previous, model_judges = values.get("previous"), values.get("model_judges")
        nested = {
            "members": [ReleasedMember(**member) for member in values["members"]],
            "facts": Facts(**values["facts"]),
            "previous": PreviousVersion(**previous) if previous else None,
            "log": [ChangeLogEntry(**entry) for entry in values["log"]],
            "model_judges": None if model_judges is None else ModelSettings(**model_judges),
        }
        spec = cls(**{**values, **nested})
        for name, kinds in TYPES.items():
            if not isinstance(getattr(spec, name), kinds):
                raise TypeError(name)
        return spec


# Fields that earlier versions of Assay do not know.
LATER = ("topic_sets", "marginal", "sighted", "blindness", "model_judges", "about_models", "suggestions")
TEXTS = (
    *("collection", "title", "name", "rule", "notes", "authors", "licence", "measure", "rounding"),
    *("created_at", "checkpoint"),
)
TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(TEXTS, (str,)),
    **dict.fromkeys(("version", "seed", "events", "guidelines", "min_topics", "min_documents"), (int,)),
    **dict.fromkeys(("rel", "agreement_rel"), (int, type(None))),
    **dict.fromkeys(("judges", "topics", "chains", "query_ids", "systems", "buildings", "about_models"), (list,)),
    "min_judged": (int, float),
    "topic_sets": (dict,),
    "sighted": (dict,),
    "blindness": (dict,),
    "marginal": (bool,),
    "suggestions": (list,),
    "model_judges": (ModelSettings, type(None)),
}


def written_time(at: datetime) -> str:
    """Return a time as specifications contain it."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
