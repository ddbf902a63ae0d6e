"""The options of an import of judgements, and what they mean for each judge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assess.collections.scale import scale_of
from assess.errors import Refused, as_sentence
from assess.models import Collection, ImportedJudge
from assess.transfer.imported_judges import saved_declarations
from assess.transfer.judgement_lines import Checks, plain_title

if TYPE_CHECKING:
    from agreement.judge_files import LabelOptions

MAX_LISTED = 10  # names of judges in an error


@dataclass(frozen=True)
class ImportOptions:
    """How files are imported.

    `labels` are options of `agreement.judge_files.LabelOptions`. `mapping` and `own_scale` are one value for all
    judges, or one by the name of the judge. `descriptions` are by the name of the judge; the empty name is for all.
    `as_members` are the members with an account whose judgements the files contain.
    """

    labels: Mapping[str, Any] = field(default_factory=dict)
    mapping: Any = None
    own_scale: Any = None
    on_error: str = "raise"
    kind: str = ""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    as_members: Sequence[str] = ()


def checks_for(collection: Collection, options: ImportOptions) -> Checks:
    """Return what the lines are checked against. The mapping and the own scale that a judge has already apply again."""
    from agreement.judge_files import LabelOptions, saved_mapping  # loads pandas

    scale = scale_of(collection)
    saved = saved_declarations(collection)
    mappings, scales = (_by_judge(value) for value in (options.mapping, options.own_scale))

    def options_of(judge: str) -> "LabelOptions":
        mapping = mappings.get(judge, mappings.get(""))
        own_scale = scales.get(judge, scales.get(""))
        if judge in saved:
            _refuse_other_declaration(judge, saved[judge], mapping, own_scale)
            mapping = saved_mapping(saved[judge].mapping)
            own_scale = saved[judge].own_scale
        try:
            return LabelOptions(
                scale=scale, mapping=mapping or {}, own_scale=own_scale and tuple(own_scale), **options.labels
            )
        except ValueError as error:
            raise Refused(as_sentence(error)) from None

    titles = dict(collection.topics.values_list("query_id", "title"))
    by_title: dict[str, list[str]] = {}
    for query_id, title in titles.items():
        by_title.setdefault(plain_title(title), []).append(query_id)
    return Checks(str(collection), list(scale), set(titles), by_title, options_of)


def check_names(options: ImportOptions, judges: set[str]) -> None:
    """Refuse an option for a judge who is not in the files; `judges` are the names in the files."""
    known = ", ".join(sorted(judges)[:MAX_LISTED]) + (", ..." if len(judges) > MAX_LISTED else "")
    for value, hint in (
        (options.mapping, ""),
        (options.own_scale, ""),
        (options.descriptions, " A description of all judges that contains = is written as =TEXT."),
    ):
        if unknown := sorted(name for name in _by_judge(value) if name and name not in judges):
            raise Refused(f"There is no file of the judge {unknown[0]!r}; the judges are {known or 'none'}.{hint}")


def _by_judge(value: Any) -> dict[str, Any]:
    """The value of each judge; the empty name stands for all."""
    if value is None:
        return {}
    is_named = isinstance(value, Mapping) and not any(isinstance(each, int) for each in value.values())
    return dict(value) if is_named else {"": value}


def _refuse_other_declaration(judge: str, saved: ImportedJudge, mapping: Any, own_scale: Any) -> None:
    from agreement.judge_files import saved_mapping

    declared = saved_mapping(saved.mapping)
    if mapping is not None and mapping != declared:
        raise Refused(
            f"{judge} was imported with the mapping {declared or 'none'}, not {mapping}; choose another name."
        )
    if own_scale is not None and list(own_scale) != saved.own_scale:
        raise Refused(
            f"{judge} was imported with the own scale {saved.own_scale or 'none'}, not {list(own_scale)}; choose "
            "another name."
        )
