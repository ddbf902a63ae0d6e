"""assay delete_collection NAME [--confirm NAME]"""

from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from assess.collections.create import find_collection
from assess.deletion import check_deletable, delete_collection, losses_of
from assess.management.base import AssessCommand


class Command(AssessCommand):
    help = "Delete a collection with everything in it. Without --confirm, print what would be lost."
    if_interrupted = "the collection was not deleted. Run the command again"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the collection's name in URLs")
        parser.add_argument("--confirm", metavar="NAME", help="the same name again; without it, nothing is deleted")

    def handle(self, *, name: str, confirm: str | None, **_: Any) -> None:
        if confirm is None:
            self._print_losses(name)
            return
        result = delete_collection(name, confirm)
        self.write_lines(f"Deleted {name} with {_listed(asdict(result.losses))}.")

    def _print_losses(self, name: str) -> None:
        collection = find_collection(name)
        check_deletable(collection)
        self.write_lines(
            f"This would delete {name} with {_listed(asdict(losses_of(collection)))}.",
            f"To delete it, run delete_collection {name} --confirm {name}.",
        )


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {_noun(name, number)}" for name, number in counts.items())


def _noun(name: str, number: int) -> str:
    if name == "people":
        return "person" if number == 1 else "people"
    nouns = name.replace("_", " ") if name != "events" else "ledger events"
    return nouns.removesuffix("s") if number == 1 else nouns
