"""The options of an import of judgements. The help of the command loads this module, so it loads no library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from agreement.choices import LABEL_CHOICES
from agreement.cli.options import HELP, LISTED_RELEVANT, parse_columns, parse_grades
from assess.errors import Refused
from assess.models import Collection, JudgeKind, Role
from assess.transfer.judge_record import MAX_PROMPT, RECORD_FIELDS, ModelRecord, parse_date
from assess.transfer.options import ImportOptions, option, repair_option

LABEL_OPTIONS = ("off_scale", "duplicates", "rounding", "decimals", "negative")
MAX_PATTERN = 100


def _label_option(name: str, default: str = "error", command_help: str = "", **words: str) -> Any:
    """Declare an option for irregular labels, with the choices and the help text of `agreement`."""
    choices = {default: "refuse"} | {each: words.get(each, each) for each in LABEL_CHOICES[name] if each != "error"}
    label = name.replace("_", " ").capitalize()
    return option(default, label, HELP[name], choices=choices, command_help=command_help)


def _mapping_in(_: Collection, text: str) -> dict[int | str, int]:
    from agreement.judge_files.options import parse_mapping  # loads pandas

    return parse_mapping(text)


def _grades_in(_: Collection, text: str) -> tuple[int, ...]:
    return parse_grades(text)


def _columns_in(_: Collection, value: Any) -> dict[str, Any]:
    """The columns as text, or as chosen on the page, where names may contain any sign."""
    return value if isinstance(value, dict) else parse_columns(value)


def _names_of(collection: Collection, members: Sequence[int]) -> tuple[str, ...]:
    """Return the names of members. A job has their keys instead, so that an erasure leaves no name behind."""
    names = collection.members.filter(pk__in=members).values_list("name", flat=True)
    if len(names) < len(set(members)):
        raise Refused("Some of the chosen members have left the collection. Choose the members again.")
    return tuple(names)


def people_of(collection: Collection) -> list[tuple[int, str]]:
    """Return key and name of the people whose judgements a file may contain."""
    people = collection.members.filter(role=Role.ASSESSOR).exclude(user=None, removed_at=None)
    return list(people.values_list("pk", "name"))


def _date_in(_: Collection, text: str) -> date:
    return parse_date(text)


@dataclass(frozen=True)
class JudgementOptions(ImportOptions):
    """How judgements are imported.

    The first five say what happens to irregular labels (`agreement.judge_files`). `mapping`, `own_scale` and
    `description` are one value for all judges, or one by the name of the judge; the empty name is for all others.
    `model` and the four options after it are the record of a model (`assess.transfer.judge_record`), for all judges.
    `listed_relevant` and `number_by` are about the files of classic collections (`pooling.formats.smart`).
    `as_members` are the names of the members with an account whose judgements the files contain. With
    `on_error="report"`, invalid lines are left out; without it, they are refused.
    """

    off_scale: str = _label_option("off_scale", clip="clip: use the nearest grade", drop="drop: leave the line out")
    duplicates: str = _label_option("duplicates")
    rounding: str = _label_option(
        "rounding",
        default="",
        command_help=" (default: a fraction is an error)",
        half_up="half up: 1.5 becomes 2",
        up="up: 1.2 becomes 2",
        down="down: 1.8 becomes 1",
    )
    decimals: str = _label_option("decimals", whole="whole: read as 1")
    negative: str = _label_option(
        "negative",
        not_judged="not judged: leave the line out",
        off_scale="off scale: like other grades off the scale",
    )
    mapping: Mapping[Any, Any] | None = option(
        None,
        "Map grades",
        "replaces grades or labels, such as 1=2,2=3 or Relevant=1",
        command_help="; repeatable; applies to all judges, or to one: JUDGE:1=2",
        flag="--map",
        metavar="[JUDGE:]1=2,Relevant=1",
        repeatable=True,
        max_length=200,
        parse=_mapping_in,
    )
    own_scale: Sequence[int] | Mapping[str, Sequence[int]] | None = option(
        None,
        "Own scale",
        "the judges' grades before they are mapped, such as 0,1",
        command_help="; repeatable; applies to all judges, or to one: JUDGE:0,1",
        flag="--judge-scale",
        metavar="[JUDGE:]0,1",
        repeatable=True,
        max_length=100,
        parse=_grades_in,
    )
    listed_relevant: bool = option(False, "A listed document is relevant", LISTED_RELEVANT, flag="--listed-relevant")
    number_by: str = option(
        "",
        "Number topics by",
        "how the queries of qrels that count the topics are matched with them",
        choices={"": "ask", "order": "order: query 1 is the first topic", "id": "id: query 1 is topic 1 or 001"},
        command_help=": query 1 is the first topic (order), or topic 1 (id)",
        flag="--number-by",
    )
    name_pattern: str = option(
        "",
        "Name pattern",
        "where the judge is in the names of the files, such as {judge}.umbrela.txt; * is any text",
        metavar="PATTERN",
        max_length=MAX_PATTERN,
    )
    judge_kind: str = option(
        "",
        "Kind",
        "what the judges are",
        choices={"": "not stated", **dict(JudgeKind.choices)},
        subject="The kind of a judge",
        flag="--kind",
    )
    description: str | Mapping[str, str] = option(
        "",
        "Description",
        "more about the judges",
        command_help="; for all judges or for one; repeatable; =TEXT is a text for all judges that contains =",
        metavar="[JUDGE=]TEXT",
        repeatable=True,
        max_length=500,
    )
    model: str = option("", "Model", "the model and its version, if the judges are one model", max_length=200)
    prompt: str = option("", "Prompt", "its text, or its name", metavar="TEXT", max_length=MAX_PROMPT)
    prompt_version: str = option("", "Prompt version", metavar="TEXT", max_length=100)
    parameters: str = option("", "Parameters", "of the model, such as temperature=0", metavar="TEXT", max_length=500)
    graded_on: date | None = option(  # noqa: RUF009 - a field of the dataclass
        None,
        "Date",
        "the day on which the model graded last, as 2024-08-31",
        flag="--graded-on",
        metavar="DATE",
        max_length=10,
        parse=_date_in,
    )
    as_members: Sequence[str] = option(
        (),
        "As member",
        "whose judgements these are, if they are those of people in this collection. A single file becomes theirs; "
        "with several files, the names of the judges must be theirs.",
        command_help=" NAME is their pseudonym; repeatable",
        flag="--as-member",
        metavar="NAME",
        repeatable=True,
        parse=_names_of,
    )
    columns: Mapping[str, Any] | None = option(
        None,
        "Columns",
        "the columns of tables with other names, such as assessor=coder,relevance=score; judges=ada,judges=bob names "
        "columns of one judge each",
        metavar="assessor=NAME,relevance=NAME",
        max_length=500,
        parse=_columns_in,
    )
    field: str = option("", "Field of the label", "in an export with several", max_length=100)
    repair_ids: str = repair_option("topics and documents")
    on_error: str = "raise"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.record.checked(self.judge_kind)

    @property
    def record(self) -> ModelRecord:
        """What the options say about a model."""
        return ModelRecord(**{name: getattr(self, name) for name in RECORD_FIELDS})

    @property
    def described(self) -> dict[str, Any]:
        """The options that the record of an import names, if they have no default."""
        others = ("listed_relevant", "number_by", "repair_ids")
        return self.labels | {name: getattr(self, name) or None for name in others}

    @property
    def labels(self) -> dict[str, str | None]:
        """The options for irregular labels, as `agreement.judge_files` takes them."""
        return {name: getattr(self, name) or None for name in LABEL_OPTIONS}
