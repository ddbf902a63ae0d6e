"""assay forget_exercises [--dry-run]: run it every night, to erase class exercises on their erasure date."""

import logging
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Count

from assess.errors import Refused
from assess.management.base import AssessCommand
from assess.models import Exercise
from assess.teaching import exercises
from assess.teaching.code_throttle import delete_old_guesses
from assess.teaching.seats import delete_expired_tokens

logger = logging.getLogger(__name__)


class Command(AssessCommand):
    help = "Erase the class exercises that have reached their erasure date, with all data of their students."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="list what would be erased, without erasing it")

    def handle(self, *, dry_run: bool, **_: Any) -> None:
        due = list(exercises.expired_exercises().select_related("collection").annotate(seat_count=Count("seats")))
        if not due:
            self.write_lines("No exercise is due for erasure.")
        if dry_run:
            for exercise in due:
                self.write_lines(f"Would erase {_describe(exercise)}: {exercise.seat_count:,} seats.")
            return
        delete_old_guesses()
        delete_expired_tokens()
        failed = [exercise.collection.slug for exercise in due if not self._erase(exercise)]
        if failed:
            raise CommandError(f"Could not erase {', '.join(failed)}. The log has the reason. Run the command again.")

    def _erase(self, exercise: Exercise) -> bool:
        """Erase one exercise. Returns False if that failed, so that the others can still be erased."""
        try:
            erased = exercises.erase(exercise, "it reached its erasure date")
        except Refused:
            return True  # the instructor erased it in the meantime
        except Exception:
            logger.exception("Exercise %s was not erased", exercise.collection.slug)
            return False
        self.write_lines(
            f"Erased {_describe(exercise)}: {erased.members:,} people, {erased.judgements:,} judgements, "
            f"{erased.events:,} ledger events."
        )
        return True


def _describe(exercise: Exercise) -> str:
    return f"{exercise.collection.slug} (due {exercise.erase_on})"
