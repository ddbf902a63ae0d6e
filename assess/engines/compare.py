"""What a repeated run changed."""

from assess.models import EngineRun


def changes_of(run: EngineRun) -> str:
    """Return how a run differs from the one that it repeats, in a sentence, or "" if there is nothing to compare."""
    former = run.former.run if run.former else None
    if former is None or run.run is None:
        return ""
    from assess.collections import runfiles  # loads pandas
    from pooling.live import compare_runs

    frames = [runfiles.load(each) for each in (former, run.run)]
    return f"Compared with {former.system}: {compare_runs(frames[0], frames[1])}"
