"""The values that the options of an import of documents accept."""

from assess.models import TextFormat

TOO_COMPLEX = ("refuse", "text")
MARKDOWN = "markdown"
FORMATS = (*TextFormat.values, MARKDOWN)
