"""assay import_judgements --collection NAME FILE [FILE ...] [--off-scale clip] [--map 1=2] [--kind model]"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandParser

from agreement.cli.options import HELP, one_or_named, parse_columns, parse_grades
from assess.errors import Refused, as_sentence
from assess.management.base import ImportCommand, progress_bar
from assess.management.import_arguments import add_options, chosen
from assess.models import Collection
from assess.transfer.judge_record import parse_date
from assess.transfer.judgement_options import JudgementOptions

if TYPE_CHECKING:
    from assess.transfer.import_record import SourceFile


class Command(ImportCommand):
    help = (
        "Import judgements: qrels files, one judge each, named after the file or by NAME=FILE; patterns such as "
        "'scores/*.txt.gz'; CSV, as export_judgements writes it; or an export of Argilla, doccano, Label "
        "Studio, OpenSearch, Potato, Prodigy or Quepid. If a line is invalid, nothing is imported, unless --on-error "
        "report is given. By default each irregular label is an error; all are counted."
    )
    item_noun = "judgement"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", metavar="[NAME=]FILE")
        parser.add_argument("--assessor", metavar="NAME", help="the judge of a qrels file (one file only)")
        add_options(parser, JudgementOptions)
        on_error = f"{HELP['on_error']} (default: %(default)s)"
        parser.add_argument("--on-error", choices=("stop", "report"), default="stop", help=on_error)

    def handle_collection(
        self, collection: Collection, *, files: list[str], assessor: str | None, on_error: str, **arguments: Any
    ) -> None:
        from assess.transfer.judgements import import_files  # loads pandas

        options = read_options(arguments, "report" if on_error == "report" else "raise")
        sources = _sources(files, assessor, options.name_pattern)
        with progress_bar([file.path for file in sources]) as progress:
            self.report(import_files(collection, sources, options, progress))


def _sources(files: list[str], assessor: str | None, name_pattern: str) -> "list[SourceFile]":
    """The files, with the names of the judges whom the user names."""
    from agreement.judge_files import NamedSource, named_sources  # loads pandas
    from assess.transfer.import_record import SourceFile

    try:
        named = named_sources(files, name_pattern or None)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    if assessor is not None:
        if len(named) > 1:
            raise Refused(
                f"--assessor {assessor} names the judge of one file, but there are {len(named)}; write NAME=FILE."
            )
        (file,) = named.values()
        named = {assessor: NamedSource(file.source)}
    return [
        SourceFile(Path(str(file.source)), str(file.source), judge if file.is_explicit else None)
        for judge, file in named.items()
    ]


def read_options(arguments: Mapping[str, Any], on_error: str) -> JudgementOptions:
    """The options of all judges and of single ones."""
    from agreement.judge_files.options import parse_mapping  # loads pandas

    values = chosen(JudgementOptions, arguments)
    try:
        by_judge = {
            "mapping": one_or_named(values["mapping"], "--map", parse_mapping),
            "own_scale": one_or_named(values["own_scale"], "--judge-scale", parse_grades),
            "description": _descriptions(values["description"]),
            "graded_on": parse_date(values["graded_on"]) if values["graded_on"] else None,
            "columns": parse_columns(values["columns"]) if values["columns"] else None,
        }
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return JudgementOptions(**values | by_judge, on_error=on_error)


def _descriptions(texts: Sequence[str]) -> str | dict[str, str]:
    """The description of all judges, or of each; that of the empty name is for all others."""
    descriptions: dict[str, str] = {}
    for text in texts:
        judge, sign, description = text.partition("=")
        if not sign:
            judge, description = "", text
        if judge in descriptions:
            raise Refused(f"There are two descriptions of {judge or 'all judges'}; give one.")
        descriptions[judge] = description
    return descriptions if any(descriptions) else descriptions.get("", "")
