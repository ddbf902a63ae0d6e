"""manage.py import_judgements --collection NAME FILE [--assessor NAME]"""

from pathlib import Path

from assess.management.base import ImportCommand, bar
from assess.transfer.judgement_import import import_judgements


class Command(ImportCommand):
    help = "Import judgements: a qrels file of one judge, or the CSV of export_judgements. All of it or nothing."
    things = "judgements"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--assessor", metavar="NAME", help="whose judgements a qrels file holds")

    def work(self, collection, *, file, assessor, **_):
        with bar([file]) as progress:
            self.report(import_judgements(collection, file, assessor, progress))
