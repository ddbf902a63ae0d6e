"""The progress of a class, as the instructor's page and the class screen show it."""

from dataclasses import replace
from typing import Any

from assess.models import Exercise, Job, Phase
from assess.teaching import clock, seats
from assess.teaching.lesson.practice import practice_of
from assess.teaching.reveal.prepare import preparing_job
from assess.teaching.worksheets import number_of_steps, settled_steps


def progress_of(exercise: Exercise) -> dict[str, Any]:
    """Return the clock, the progress of each seat, and `state`, which changes when a page must be loaded again."""
    current, rows = clock.read_clock(exercise), seats.seat_progress(exercise)
    job, steps = job_of(exercise), 0
    if exercise.worksheets and exercise.worksheets_open:
        steps, settled = number_of_steps(exercise), settled_steps(exercise)
        rows = [replace(row, steps_done=settled.get(row.seat.pk, 0)) for row in rows]
    return {
        "exercise": exercise,
        "clock": current,
        "job": job,
        "state": page_state(exercise, job),
        "rows": rows,
        "judged": sum(row.judged for row in rows),
        "of": sum(row.of for row in rows),
        "ready": sum(row.judged == row.of for row in rows),
        "predicted": sum(row.seat.predicted_kappa is not None for row in rows),
        "practised": _practised(exercise, rows),
        "steps": steps,
    }


def job_of(exercise: Exercise) -> Job | None:
    """Return the job that computes the reveal now, or None."""
    return preparing_job(exercise) if exercise.phase == Phase.ENDED else None


def page_state(exercise: Exercise, job: Job | None) -> str:
    """Return a word that changes whenever the controls or the class screen change."""
    preparing = f"{job.state}{job.progress_done}" if job else "ready"
    options = sorted((exercise.reveal_options or {}).items())
    return f"{exercise.phase}-{exercise.reveal_step}-{exercise.worksheets_open}-{preparing}-{options}"


def _practised(exercise: Exercise, rows: list[seats.SeatProgress]) -> int | None:
    """Return how many students have graded the practice document; None if it does not matter now."""
    if exercise.phase != Phase.WAITING or practice_of(exercise) is None:
        return None
    return sum(row.seat.practice_grade is not None for row in rows)
