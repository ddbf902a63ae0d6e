"""manage.py forget_exercises [--dry-run]: erases the class exercises whose time is over; to be run every night."""

import logging

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count

from assess.errors import Refused
from assess.teaching import exercises
from assess.teaching.code_throttle import delete_old_guesses

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Erase the class exercises that are past their day, with their students and all they said."

    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true", help="say what would be erased, and erase nothing")

    def handle(self, *, dry_run, **_):
        due = list(exercises.expired_exercises().select_related("collection").annotate(seat_count=Count("seats")))
        if not due:
            self.stdout.write("No exercise is past its day.")
        if dry_run:
            for each in due:
                self.stdout.write(f"Would erase {_named(each)}: {each.seat_count:,} seats.")
            return
        delete_old_guesses()
        if kept := [name for each in due if (name := self._erase(each))]:
            raise CommandError(f"{', '.join(kept)} could not be erased; the reason is in the log. Run it again.")

    def _erase(self, exercise) -> str:
        """The name of the exercise where it could not be erased: one must not keep the others."""
        try:
            gone = exercises.erase(exercise, "its time was over")
        except Refused:
            return ""  # the instructor was quicker
        except Exception:
            logger.exception("Exercise %s was not erased", exercise.collection.slug)
            return exercise.collection.slug
        self.stdout.write(
            f"Erased {_named(exercise)}: {gone.members:,} people, {gone.judgements:,} judgements, "
            f"{gone.events:,} lines of the ledger."
        )
        return ""


def _named(exercise) -> str:
    return f"{exercise.collection.slug} (due {exercise.erase_on})"
