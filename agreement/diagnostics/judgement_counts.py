"""How many judgements each judge has made at each time, as the points of a line."""

import numpy as np
import pandas as pd

COLUMNS = ["assessor", "judged_at"]
MOST_POINTS = 300  # of each judge


def judgement_counts(judgements: pd.DataFrame, most: int = MOST_POINTS) -> pd.DataFrame:
    """Count the judgements of each judge up to the time of each judgement.

    Parameters
    ----------
    judgements : DataFrame
        Columns assessor and judged_at, in any order.
    most : int
        The most rows of a judge, at least 2. Of more judgements, evenly spaced ones are kept, with the first and the
        last.

    Returns
    -------
    DataFrame
        Columns assessor, judged_at and n, sorted by assessor and time.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.diagnostics.judgement_counts import judgement_counts
    >>> times = pd.to_datetime(["2026-03-02 10:05", "2026-03-02 10:00", "2026-03-02 10:02"])
    >>> judgement_counts(pd.DataFrame({"assessor": ["ada", "ada", "ben"], "judged_at": times}))
      assessor           judged_at  n
    0      ada 2026-03-02 10:00:00  1
    1      ada 2026-03-02 10:05:00  2
    2      ben 2026-03-02 10:02:00  1
    """
    ordered = judgements[COLUMNS].sort_values(COLUMNS, kind="stable", ignore_index=True)
    sizes = ordered.groupby("assessor").size()
    counted = ordered.assign(n=ordered.groupby("assessor").cumcount() + 1)
    kept = [np.linspace(0, size - 1, min(size, most)).round().astype(int) for size in sizes]
    starts = sizes.cumsum() - sizes
    rows = [start + positions for start, positions in zip(starts, kept, strict=True)]
    return counted.iloc[np.concatenate([np.array([], dtype=int), *rows])].reset_index(drop=True)
