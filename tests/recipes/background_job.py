"""A background job: counting the words of all documents."""

NAME = "count_words"
FUNCTION = f"assess/documents/{NAME}.py"
KINDS = "assess/jobs/kinds.py"
SENTENCES = "assess/web/research/job_views.py"

NEW = {
    FUNCTION: '''"""Count the words of a collection's documents, in the background."""

from dataclasses import dataclass

from assess.lib.long_work import reported
from assess.models import Collection


@dataclass(frozen=True)
class CountedWords:
    """The documents with text, and their words."""

    documents: int
    words: int


def count_words(collection: Collection) -> CountedWords:
    """Count the words between white space. Nothing is saved but the result of the job."""
    texts = list(collection.documents.filter(content__isnull=False).values_list("content__text", flat=True))
    return CountedWords(len(texts), sum(len(text.split()) for text in reported(texts, "Counting words")))
'''
}
CHANGES = [
    (
        KINDS,
        '    "release": Kind(',
        f'    "{NAME}": Kind("Count the words", "assess.documents.{NAME}.{NAME}"),\n    "release": Kind(',
    ),
    (
        SENTENCES,
        '    "release": _release_sentences,\n',
        f"    \"{NAME}\": lambda result: [f\"{{result['documents']:,}} documents, {{result['words']:,}} words.\"],\n"
        '    "release": _release_sentences,\n',
    ),
]
