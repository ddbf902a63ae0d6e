"""assay change_collection --collection NAME [--title ...] [--reference RULE] [--archive | --restore] ..."""

from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from assess.analysis.reference import AUTOMATIC, set_reference
from assess.collections.archive import archive_collection, restore_collection
from assess.collections.change import change_collection
from assess.errors import Refused
from assess.management.base import CollectionCommand
from assess.models import Collection

OPTIONS = {"title": "name", "description": "description", "assessor_description": "assessor_description"}


class Command(CollectionCommand):
    help = (
        "Change the name, the descriptions and the default reference of a collection, archive it, or restore it. Its "
        "NAME in URLs stays."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--title", help="the name shown on pages")
        parser.add_argument("--description", help="for researchers; assessors never see it")
        parser.add_argument("--assessor-description", help="for assessors")
        parser.add_argument(
            "--reference",
            metavar="RULE",
            help=f"the gold that judges and golds are compared with by default, or {AUTOMATIC}: adjudicated, or else "
            "the majority of the people, or else a person, or else a model",
        )
        state = parser.add_mutually_exclusive_group()
        state.add_argument("--archive", action="store_true", help="nothing in it can be changed until --restore")
        state.add_argument("--restore", action="store_true", help="restore it from the archive")

    @transaction.atomic
    def handle_collection(self, collection: Collection, *, archive: bool, restore: bool, **options: Any) -> None:
        texts = {OPTIONS[name]: text for name in OPTIONS if (text := options[name]) is not None}
        reference = options["reference"]
        if not (texts or reference or archive or restore):
            raise Refused(
                "Give at least one of --title, --description, --assessor-description, --reference, --archive and "
                "--restore."
            )
        if restore:
            restore_collection(collection)
            self.write_lines(f"Restored {collection} from the archive.")
        if texts:
            changed = change_collection(collection, **texts)
            self.write_lines(f"Changed: {', '.join(changed)}." if changed else "Nothing has changed.")
        if reference:
            is_new = set_reference(collection, "" if reference == AUTOMATIC else reference)
            self.write_lines(f"Default reference: {reference}." if is_new else "The reference is the same.")
        if archive:
            archive_collection(collection)
            self.write_lines(f"Archived {collection}. It can be read and exported, and nothing in it changes.")
