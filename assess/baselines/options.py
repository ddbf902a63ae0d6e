"""What a user can choose. This module loads no library, so that pages and commands start quickly."""

from collections.abc import Sequence
from importlib.util import find_spec

from assess.errors import Refused

SYSTEMS = {
    "bm25": "BM25 (k1 0.9, b 0.4)",
    "ql": "query likelihood with Dirichlet smoothing (mu 1000)",
    "tfidf": "tf-idf cosine",
}
PREFIX = "baseline-"  # of the names of the systems
FIELDS = {"title": "title", "title+description": "title and description"}
MAX_DEPTH = 10_000
DEFAULT_DEPTH = 1_000
LIBRARIES = {"bm25s": "bm25s", "sklearn": "scikit-learn"}


def check_options(systems: Sequence[str], fields: str, depth: int) -> None:
    """Refuse what is not possible, and say what is missing."""
    if unknown := [name for name in systems if name not in SYSTEMS]:
        raise Refused(f"There is no baseline {unknown[0]!r}; the baselines are {', '.join(SYSTEMS)}.")
    if not systems:
        raise Refused(f"Choose at least one of the baselines {', '.join(SYSTEMS)}.")
    if fields not in FIELDS:
        raise Refused(f"The query must be one of {', '.join(FIELDS)}, not {fields!r}.")
    if not 1 <= depth <= MAX_DEPTH:
        raise Refused(f"The number of documents for each topic must be from 1 to {MAX_DEPTH:,}, not {depth:,}.")
    if missing := [name for module, name in LIBRARIES.items() if find_spec(module) is None]:
        raise Refused(
            f"Baseline runs need {' and '.join(missing)}, which this installation lacks. Its administrator can add "
            "them with the extra ir-assay[baselines]."
        )
