"""assay adjudicate --collection NAME --by leverage|distance|topic --adjudicator MEMBER [...]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.adjudication.adjudicate import adjudicate
from assess.adjudication.choose import DISTANCE, LEVERAGE, TOPIC
from assess.management.base import CollectionCommand, positive_int
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = "Assign disputed documents to adjudicators, each to somebody who did not judge it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--by",
            choices=(LEVERAGE, DISTANCE, TOPIC),
            default=LEVERAGE,
            help="how documents are chosen (default: leverage)",
        )
        parser.add_argument(
            "--adjudicators",
            nargs="+",
            required=True,
            metavar="PSEUDONYM",
            help="who decides; they share the documents",
        )
        parser.add_argument(
            "--number", type=positive_int, default=20, metavar="N", help="how many documents by leverage (default: 20)"
        )
        parser.add_argument("--measure", default="AP", help="the measure for leverage (default: AP)")
        parser.add_argument("--gold", default="", help="the gold for leverage (default: the default reference)")
        parser.add_argument(
            "--distance",
            type=positive_int,
            default=2,
            metavar="D",
            help="with --by distance: grades D or more steps apart (default: 2)",
        )
        parser.add_argument(
            "--topic", default="", metavar="ID", help="with --by topic: the topic whose disputed documents are chosen"
        )
        parser.add_argument(
            "--show-grades", action="store_true", help="show adjudicators the judges' grades, without names"
        )

    def handle_collection(
        self, collection: Collection, *, by: str, adjudicators: list[str], show_grades: bool, topic: str, **options: Any
    ) -> None:
        choice = {name: options[name] for name in ("number", "measure", "gold", "distance")}
        created = adjudicate(collection, by, adjudicators, show_grades, query_id=topic, **choice)
        documents = count(created.documents, "document")
        self.write_lines(f"Adjudication {created.number}: assigned {documents}, {created.selection}.")
