"""What the options of an import of judgements mean for each judge."""

from collections.abc import Mapping
from typing import Any

from agreement.judge_files import LabelOptions, saved_mapping
from agreement.judge_files.contents import ReadOptions
from assess.collections.scale import scale_of
from assess.errors import Refused, as_sentence
from assess.models import Collection, ImportedJudge
from assess.transfer.imported_judges import saved_declarations
from assess.transfer.judgement_lines import Checks
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.topics import plain_title

MAX_LISTED = 10  # names of judges in an error


def checks_for(collection: Collection, options: JudgementOptions, new_scale: tuple[int, ...] = ()) -> Checks:
    """Return what the lines are checked against. The mapping and the own scale that a judge has already apply again.

    `new_scale` is a scale that is imported before them.
    """
    scale = new_scale or scale_of(collection)
    saved = saved_declarations(collection)
    mappings, scales = by_judge(options.mapping), by_judge(options.own_scale)

    def options_of(judge: str) -> LabelOptions:
        mapping = mappings.get(judge, mappings.get(""))
        own_scale = scales.get(judge, scales.get(""))
        if judge in saved:
            _refuse_other_declaration(judge, saved[judge], mapping, own_scale)
            mapping = saved_mapping(saved[judge].mapping)
            own_scale = saved[judge].own_scale
        labels: dict[str, Any] = options.labels
        try:
            return LabelOptions(scale=scale, mapping=mapping or {}, own_scale=own_scale and tuple(own_scale), **labels)
        except ValueError as error:
            raise Refused(as_sentence(error)) from None

    titles = dict(collection.topics.order_by("pk").values_list("query_id", "title"))
    return Checks(
        str(collection),
        list(scale),
        set(titles),
        _by_title(titles),
        options_of,
        _reading(options),
        list(titles),
        options.listed_relevant,
        options.number_by,
        frozenset(collection.documents.values_list("doc_id", flat=True)),
        options.repair_ids or None,
    )


def _reading(options: JudgementOptions) -> ReadOptions:
    return ReadOptions(options.columns or {}, options.field or None, refuses_subtopics=options.duplicates == "error")


def _by_title(titles: Mapping[str, str]) -> dict[str, list[str]]:
    """The query_ids of each title."""
    by_title: dict[str, list[str]] = {}
    for query_id, title in titles.items():
        by_title.setdefault(plain_title(title), []).append(query_id)
    return by_title


def check_names(options: JudgementOptions, judges: set[str]) -> None:
    """Refuse an option for a judge who is not in the files; `judges` are the names in the files."""
    known = ", ".join(sorted(judges)[:MAX_LISTED]) + (", ..." if len(judges) > MAX_LISTED else "")
    for value, hint in (
        (options.mapping, ""),
        (options.own_scale, ""),
        (options.description, " A description of all judges that contains = is written as =TEXT."),
    ):
        if unknown := sorted(name for name in by_judge(value) if name and name not in judges):
            raise Refused(f"There is no file of the judge {unknown[0]!r}; the judges are {known or 'none'}.{hint}")


def by_judge(value: Any) -> dict[str, Any]:
    """The value of each judge; the empty name stands for all."""
    if value is None:
        return {}
    is_named = isinstance(value, Mapping) and not any(isinstance(each, int) for each in value.values())
    return dict(value) if is_named else {"": value}


def _refuse_other_declaration(judge: str, saved: ImportedJudge, mapping: Any, own_scale: Any) -> None:
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
