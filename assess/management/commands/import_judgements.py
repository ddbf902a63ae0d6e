"""assay import_judgements --collection NAME FILE [FILE ...] [--off-scale clip] [--map 1=2] [--kind model]"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandParser

from assess.errors import Refused, as_sentence
from assess.management.base import ImportCommand, progress_bar
from assess.models import Collection, JudgeKind

if TYPE_CHECKING:
    from agreement.judge_files import NamedSource
    from assess.transfer.import_options import ImportOptions

LABEL_OPTIONS = ("off_scale", "duplicates", "rounding", "decimals", "negative")


class Command(ImportCommand):
    help = (
        "Import judgements: qrels files, one judge each, named after the file or by NAME=FILE; patterns such as "
        "'scores/*.txt.gz'; CSV, as export_judgements writes it; or an export of doccano, Label Studio, Quepid or "
        "OpenSearch. If a line is invalid, nothing is imported, unless --on-error report is given."
    )
    item_noun = "judgement"

    def add_arguments(self, parser: CommandParser) -> None:
        from agreement.cli.label_options import add_label_options

        super().add_arguments(parser)
        parser.add_argument("files", nargs="+", metavar="[NAME=]FILE")
        parser.add_argument("--assessor", metavar="NAME", help="the judge of a qrels file (one file only)")
        parser.add_argument(
            "--as-member",
            action="append",
            default=[],
            metavar="NAME",
            help="the pseudonym of a person in the collection whose judgements these are; repeatable",
        )
        parser.add_argument("--kind", choices=JudgeKind.values, default="", help="the kind of the judges")
        parser.add_argument(
            "--description",
            action="append",
            default=[],
            metavar="[JUDGE=]TEXT",
            help="what the judge is, such as model, prompt and version; for all judges or for one; repeatable; "
            "=TEXT is a text for all judges that contains =",
        )
        add_label_options(parser)

    def handle_collection(self, collection: Collection, *, files: list[str], **options: Any) -> None:
        from assess.transfer.judgement_import import import_files

        sources = _sources(files, options["assessor"], options["name_pattern"])
        named = {judge for judge, file in sources.items() if file.is_explicit}
        paths = [(judge, Path(str(file.source))) for judge, file in sources.items()]
        with progress_bar([path for _, path in paths]) as progress:
            self.report(import_files(collection, paths, _import_options(options), progress, named=named))


def _sources(files: list[str], assessor: str | None, name_pattern: str | None) -> "dict[str, NamedSource]":
    """The file of each judge."""
    from agreement.judge_files import NamedSource, named_sources

    try:
        named = named_sources(files, name_pattern)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    if assessor is None:
        return named
    if len(named) > 1:
        raise Refused(
            f"--assessor {assessor} names the judge of one file, but there are {len(named)}; write NAME=FILE."
        )
    (file,) = named.values()
    return {assessor: NamedSource(file.source)}


def _import_options(options: dict[str, Any]) -> "ImportOptions":
    from agreement.cli.label_options import label_arguments
    from assess.transfer.import_options import ImportOptions

    try:
        arguments = label_arguments(options)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None
    return ImportOptions(
        labels={name: arguments[name] for name in LABEL_OPTIONS},
        mapping=arguments["mapping"],
        own_scale=arguments["own_scale"],
        on_error=arguments["on_error"],
        kind=options["kind"],
        descriptions=_descriptions(options["description"]),
        as_members=options["as_member"],
    )


def _descriptions(texts: list[str]) -> dict[str, str]:
    """The description of each judge; that of the empty name is for all others."""
    descriptions: dict[str, str] = {}
    for text in texts:
        judge, sign, description = text.partition("=")
        if not sign:
            judge, description = "", text
        if judge in descriptions:
            raise Refused(f"There are two descriptions of {judge or 'all judges'}; give one.")
        descriptions[judge] = description
    return descriptions
