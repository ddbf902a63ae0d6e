"""assay calibration --collection NAME [--practice RULE] [--threshold X] [--checks on|off] [--admit PSEUDONYM]"""

from typing import Any

from django.core.management.base import CommandParser

from assess.calibration.practice import admit as admit_assessor
from assess.management.base import CollectionCommand
from assess.models import Collection, PracticeMeasure, PracticeRule


class Command(CollectionCommand):
    help = "Show who practised with which result, change the rules of practice and hidden checks, or admit an assessor."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--practice", choices=PracticeRule.values, help="no practice, admission by threshold, or a notice only"
        )
        parser.add_argument("--measure", choices=PracticeMeasure.values, help="what the threshold limits")
        parser.add_argument("--threshold", type=float, metavar="X", help="the threshold, from 0 to 1")
        parser.add_argument("--checks", choices=("on", "off"), help="hide checks among the documents")
        parser.add_argument("--admit", metavar="PSEUDONYM", help="admit an assessor below the threshold")

    def handle_collection(
        self,
        collection: Collection,
        *,
        practice: str | None,
        measure: str | None,
        threshold: float | None,
        checks: str | None,
        admit: str | None,
        **_: Any,
    ) -> None:
        from assess.calibration.overview import change_calibration, people_frame

        rules: dict[str, Any] = {"practice": practice, "practice_measure": measure, "practice_threshold": threshold}
        rules |= {"hidden_checks": None if checks is None else checks == "on"}
        if given := {name: value for name, value in rules.items() if value is not None}:
            change_calibration(collection, **given)
        if admit:
            admit_assessor(collection, admit)
        rows = people_frame(collection).to_dict("records")
        self.write_lines(*(f"{row['judge']}: {row['hits']} of {row['done']} hits, {row['state']}" for row in rows))
