"""The exercise of the load tests: `python -m tests.load.load_exercise make` creates it, `look` and `figures` read it.

It prints JSON. It creates the instructor's session directly, because password hashes are slow by design. Students
join by themselves.
"""

import argparse
import json

import django

django.setup()

from django.conf import settings  # noqa: E402

from assess.collections.members import add_member  # noqa: E402
from assess.models import Exercise, Judgement, JudgementEvent, Role, State  # noqa: E402
from assess.teaching import clock, exercises  # noqa: E402
from assess.teaching.exercises import ExerciseSpec  # noqa: E402
from assess.teaching.lesson.practice import OWN, PracticeSpec  # noqa: E402
from tests.factories import small_collection  # noqa: E402
from tests.load.lesson_material import DEPTH, RUNS  # noqa: E402
from tests.load.load_collection import session_of  # noqa: E402


def make(documents: int, lesson: bool) -> dict:
    """Create an exercise; return its code and the instructor's cookie. It is started unless a whole lesson follows."""
    source = small_collection(RUNS, slug="load", depth=DEPTH)
    instructor, _ = add_member(source, "instructor", Role.INSTRUCTOR)
    practice = PracticeSpec(OWN, text="Green tea.", grade=1, topic="tea", explanation="It is about tea.")
    spec = ExerciseSpec("Load", source=source.slug, shared=documents, minutes=60, worksheets=["dcg"], practice=practice)
    exercise = exercises.make(instructor.user, spec)
    if not lesson:
        clock.start(exercise)
    return {"code": exercise.code, "cookies": {settings.SESSION_COOKIE_NAME: session_of(instructor.user)}}


def look() -> dict:
    """Return the seats, events and judgements, each with the nickname of the student."""
    exercise = Exercise.objects.get()
    events = JudgementEvent.objects.filter(judgement__member__collection=exercise.collection)
    own = Judgement.objects.filter(member__collection=exercise.collection)
    return {
        "seats": sorted(exercise.seats.values_list("nickname", flat=True)),
        "events": [
            [name, str(client_id), relevance]
            for name, client_id, relevance in events.values_list("judgement__member__name", "client_id", "relevance")
        ],
        "judged": [
            [name, task, relevance]
            for name, task, relevance in own.filter(state=State.JUDGED).values_list("member__name", "task", "relevance")
        ],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    actions = parser.add_subparsers(dest="action", required=True)
    making = actions.add_parser("make")
    making.add_argument("--documents", type=int, required=True)
    making.add_argument("--lesson", action="store_true")
    actions.add_parser("look")
    options = vars(parser.parse_args())
    print(json.dumps({"make": make, "look": look}[options.pop("action")](**options)))
