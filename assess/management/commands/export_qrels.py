"""manage.py export_qrels --collection NAME --gold RULE [--rel N] [--out FILE]"""

from assess.management.base import ExportCommand
from assess.transfer.exports import export_qrels


class Command(ExportCommand):
    help = "Write a gold as qrels: judge:NAME, union, intersection, majority or another rule of agreement.golds.rules."
    things = "lines"

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument(
            "--gold",
            required=True,
            metavar="RULE",
            help="such as union, majority, at_least:2",
        )
        parser.add_argument("--rel", type=int, metavar="N", help="binary: 1 from this grade on (default: the grades)")

    def work(self, collection, *, gold, rel, out, **_):
        content = export_qrels(collection, gold, rel)
        self.deliver(content, out, content.count(b"\n"))
