"""Full-text search over the documents of a collection."""

from assess.models.search.index import SearchIndex
from assess.models.search.searches import OpenedResult, Search, SearchedTask, SearchPermission

__all__ = ["OpenedResult", "Search", "SearchIndex", "SearchPermission", "SearchedTask"]
