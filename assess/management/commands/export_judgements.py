"""manage.py export_judgements --collection NAME [--out FILE]"""

from assess.management.base import ExportCommand
from assess.models import Judgement
from assess.transfer.exports import export_judgements


class Command(ExportCommand):
    help = "Write the raw judgements as CSV, with what the ledger knows of each."
    things = "judgements"

    def work(self, collection, *, out, **_):
        count = Judgement.objects.filter(task__topic__collection=collection).count()
        self.deliver(export_judgements(collection), out, count)
