"""Figures as part of a page: the context of `research/_figure.html`."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse

from assess.analysis.figures import inline_svg
from assess.jobs import results

KINDS = ("svg", "pdf", "png")


def shown_figure(name: str, label: str, draw: Callable[[], bytes], *inputs: object, files: Any) -> dict[str, Any]:
    """Return a figure, and the addresses of its files.

    `label` describes it to screen readers. `draw` returns an SVG file, which is kept in the cache of results for the
    next request with the same `inputs`.
    """
    key = results.key_of("figure", name, *inputs)
    if (file := results.get(key)) is None:
        file = draw()
        results.keep(key, file)
    return {"name": name, "svg": inline_svg(file, label), "files": files}


def figure_files(view: str, *ids: Any, query: str = "") -> list[tuple[str, str]]:
    """Return the label and the address of each file of a figure. `query` has no question mark."""
    end = f"?{query}" if query else ""
    return [(kind.upper(), reverse(f"research:{view}", args=[*ids, kind]) + end) for kind in KINDS]
