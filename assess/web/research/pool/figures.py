"""The figures of a preview of a pool: its size against its depth, and the documents that runs share."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from assess.errors import Refused

if TYPE_CHECKING:
    from assess.pools.building.preview import PoolPreview

LEAST_DEPTH, BEYOND = 20, 3  # the figure ends at a multiple of the chosen depth


def draw_sizes(preview: "PoolPreview", kind: str, title: str = "") -> bytes:
    """Draw the documents per topic at each depth, and the size and depth of the previewed pool."""
    import pandas as pd

    from agreement.plots import size_by_depth  # loads matplotlib

    if not preview.by_depth:
        raise Refused("There is nothing to draw: this strategy has no depth.")
    depth = preview.parameters.get("depth")
    rows = preview.by_depth[: max(LEAST_DEPTH, BEYOND * depth) if depth else None]
    sizes = pd.DataFrame([asdict(row) for row in rows])
    return size_by_depth(sizes, title, kind, pool=preview.mean, depth=depth)


def draw_overlap(preview: "PoolPreview", kind: str, title: str = "", width: float | None = None) -> bytes:
    """Draw the share of the pooled documents of each run that each other run has."""
    import pandas as pd

    from agreement.plots import pool_overlap  # loads matplotlib

    if not preview.overlap:
        raise Refused("There is nothing to draw: no run contributes to this pool.")
    systems = [row.system for row in preview.systems]
    shares = pd.DataFrame(preview.overlap, systems, systems).astype("Float64")
    return pool_overlap(shares, title, kind, note=f"{preview.description}.", width=width)
