"""An extension of griffe: mkdocstrings shows the tables of docstrings as tables."""

from typing import Any

import griffe

from docs.tables import markdown_tables


class DocstringTables(griffe.Extension):
    """Replaces the tables of reStructuredText in each docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of an object that griffe has read."""
        if obj.docstring:
            obj.docstring.value = markdown_tables(obj.docstring.value)
