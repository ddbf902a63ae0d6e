"""Near-duplicates: documents whose texts share most of their shingles, and how consistently they were judged."""

from pooling.duplicates.consistency import inconsistent_groups
from pooling.duplicates.find import near_duplicates
from pooling.duplicates.result import NearDuplicates
from pooling.duplicates.shingles import jaccard, shingles

__all__ = ["NearDuplicates", "inconsistent_groups", "jaccard", "near_duplicates", "shingles"]
