"""How the ranking of a collection's systems changes with the gold. All modules load pandas."""

from assess.analysis.shift.ranking import (
    CLASS_CACHE_SECONDS,
    collection_shift,
    evidence_note,
    shift_key,
)

__all__ = ["CLASS_CACHE_SECONDS", "collection_shift", "evidence_note", "shift_key"]
