"""Sixty documents of twelve kinds, in two topics: what pools of the web, of code and of many languages contain."""

from pathlib import Path

from assess.collections.create import create_collection
from assess.collections.guidelines import publish_guidelines
from assess.models import Collection, Topic
from assess.pools.building.build import build_pool
from assess.transfer.documents import import_documents
from assess.transfer.runs import import_runs
from pooling import Document
from tests.factories import write_runs

GRADES = (
    "0=Not relevant: about something else",
    "1=Marginal: mentions the subject without an answer",
    "2=Relevant: answers the question in part",
    "3=Highly relevant: answers the question completely",
)
PER_TOPIC = 30
PARAGRAPH = (
    "The brook that drives the mill rises above the village. In dry summers its water does not suffice for both "
    "wheels, and the miller grinds only at night. "
)
WIDE = "<tr>{}</tr>".format("".join(f"<td>column {number} of the survey</td>" for number in range(24)))
PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
CODE = (
    "def grind(corn, water=None):\n"
    "    return [grain.split() for grain in corn if water is not None and water.flows_from('the hill')]\n"
)
HEBREW = "הנחל המניע את הטחנה מתחיל מעל הכפר. בקיץ יבש אין די מים לשני הגלגלים. "
KINDS = {
    "article": ("Mills in the valley", f"<h1>Mills</h1><p>{PARAGRAPH * 6}</p><ul><li>water<li>wind</ul>" * 3, "html"),
    "markdown": (
        "Notes on mills",
        f"# Notes\n\n{PARAGRAPH * 3}\n\n| mill | wheels |\n|---|---|\n| upper | 2 |\n\n```\n{CODE}```\n\n1. one\n",
        "markdown",
    ),
    "long": ("The chronicle of the valley", f"{PARAGRAPH}\n\n" * 500, "text"),
    "table": ("A survey of all mills", f"<p>The survey.</p><table>{WIDE * 12}</table><p>{PARAGRAPH}</p>", "html"),
    "hebrew": ("טחנות המים בעמק", f"<p>{HEBREW * 8}</p><p dir=ltr>{PARAGRAPH}</p>", "html"),
    "untitled": ("", PARAGRAPH * 4, "text"),
    "missing": ("", "", ""),
    "empty": ("A scan without words", "<p> </p>", "html"),
    "code": ("grind.py", f"<h2>Source</h2><pre><code>{CODE * 20}</code></pre>", "html"),
    "images": (
        "Pictures of a mill",
        f'<p>{PARAGRAPH}</p><img src="{PIXEL}" alt="The upper mill in winter"><img src="https://example.org/a.png">',
        "html",
    ),
    "pages": ("A book about mills", f"<h2>A chapter</h2><p>{PARAGRAPH * 5}</p>" * 120, "html"),
    "difficult": (
        "\U0001f33e 水車と風車",
        f"https://example.org/{'mill-' * 90}\n\n{'水' * 400}\n\n{PARAGRAPH}",
        "text",
    ),
}
WITHOUT_TEXT = {"missing", "empty"}


def doc_ids(topic: int) -> list[str]:
    """Return the doc_ids of a topic: its kind, and a number from 0 to 59."""
    kinds = list(KINDS)
    first = (topic - 1) * PER_TOPIC
    return [f"{kinds[number % len(kinds)]}-{number}" for number in range(first, first + PER_TOPIC)]


def make_collection(folder: Path) -> Collection:
    """Import everything as researchers do. The documents of the kind "missing" have no text."""
    collection = create_collection("sixty", "Mills", GRADES)
    publish_guidelines(collection, "# Guidelines\n\nRead the whole document. Judge what it says, not how.")
    titles = ("How were the water mills of the valley driven in dry summers?", "Which mills had two wheels?")
    for number, title in enumerate(titles, start=1):
        description = "A relevant document says how, and for how long. " * 4
        narrative = "Mills in other valleys are not relevant, and windmills are not either. " * 3
        Topic.objects.create(
            collection=collection, query_id=str(number), title=title, description=description, narrative=narrative
        )
    ranked = {"alpha": {str(number): doc_ids(number) for number in (1, 2)}}
    import_runs(collection, write_runs(folder, ranked))
    build_pool(collection, depth=PER_TOPIC)
    documents = (_document(doc_id) for number in (1, 2) for doc_id in doc_ids(number))
    import_documents(collection, [document for document in documents if document.format])
    return collection


def _document(doc_id: str) -> Document:
    title, text, text_format = KINDS[doc_id.partition("-")[0]]
    return Document(doc_id=doc_id, title=title, text=text, metadata={}, line=1, format=text_format)
