"""With which precision the scores of runs are read.

Run files are stored with the scores as written. trec_eval before version 10 and pytrec_eval read scores as float32, in
which more scores are tied, and ties are ranked by doc_id. A run keeps the precision with which it was imported.
"""

from collections.abc import Sequence

from assess.models import Run

MAX_SYSTEMS = 5
MIXED = "mixed"


def common_precision(runs: Sequence[Run]) -> str:
    """Return "float64" or "float32", or "mixed" if the runs differ; "" without runs."""
    precisions = {run.score_precision for run in runs}
    return MIXED if len(precisions) > 1 else "".join(precisions)


def describe_precision(runs: Sequence[Run]) -> str:
    """Return one sentence on the precision of the scores; it names the runs if they differ. "" without runs."""
    if common_precision(runs) != MIXED:
        return f"Scores are read as {common_precision(runs)}." if runs else ""
    single = [run.system for run in runs if run.score_precision == Run.Precision.FLOAT32]
    listed = ", ".join(single[:MAX_SYSTEMS]) + (", ..." if len(single) > MAX_SYSTEMS else "")
    return f"Scores of {len(single):,} of {len(runs):,} runs are read as float32 ({listed}), the others as float64."


def notes_on_precision(runs: Sequence[Run]) -> list[str]:
    """Return the sentence if some run is not read as float64, which is the default; else nothing."""
    return [] if common_precision(runs) in ("", Run.Precision.FLOAT64) else [describe_precision(runs)]
