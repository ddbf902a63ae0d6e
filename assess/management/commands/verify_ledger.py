"""manage.py verify_ledger [--collection NAME]"""

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from assess.collections.create import find_collection
from assess.errors import Refused
from assess.judging import ledger

BAR_FROM = 50_000  # fewer judgements are through before anyone looks


class Command(BaseCommand):
    help = "Rebuild the current judgements from the ledger alone, and tell every difference; exits 1 if there is one."

    def add_arguments(self, parser):
        parser.add_argument("--collection", metavar="NAME", help="default: all of them")

    def handle(self, *, collection, **_):
        try:
            only = find_collection(collection) if collection else None
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        with ledger.one_moment():
            size = ledger.size(only)
            found = self._tell(only, size.judgements)
        looked = f"{size.judgements:,} judgements and the {size.events:,} lines of their ledger"
        if found:
            raise CommandError(f"Looked at {looked}: {found:,} difference{'s' if found > 1 else ''}.")
        self.stdout.write(f"Looked at {looked}: no difference.")

    def _tell(self, only, judgements: int) -> int:
        found = 0
        with tqdm(total=judgements, unit=" judgements", disable=None if judgements > BAR_FROM else True) as bar:
            for found, difference in enumerate(ledger.differences(only, bar.update), start=1):  # noqa: B007
                bar.clear()
                self.stdout.write(difference)
        return found
