"""Read the topics of a classic collection; `pooling.formats.smart` specifies them."""

from collections.abc import Iterator

from pooling.formats.smart import FIELDS
from pooling.formats.smart.items import TEXT, Item, Notes, items, without_last_empty
from pooling.formats.smart.known import compared
from pooling.formats.topic_formats import Topic

TITLE = "T"
NO_LIMIT = 1 << 62  # the size of the whole file is limited


def smart_topics(text: str, form: str, file: str, notes: Notes = None) -> Iterator[Topic]:
    """The topics of a file of this form; `notes` collects sentences about the file."""
    lines = ((number, line.encode()) for number, line in enumerate(text.split("\n"), start=1))
    n_topics = 0
    for item in without_last_empty(items(lines, form, NO_LIMIT, file), "query", file, notes):
        n_topics += 1
        yield _topic(item)
    if notes is not None and (sentence := compared("topics", n_topics, file)):
        notes.append(sentence)


def _topic(item: Item) -> Topic:
    title, text = (item.fields.get(tag, "").strip() for tag in (TITLE, TEXT))
    others = {FIELDS.get(tag, tag): field for tag, field in item.fields.items() if tag not in (TITLE, TEXT)}
    narrative = "\n".join(f"{name.capitalize()}: {field.strip()}" for name, field in others.items() if field.strip())
    return Topic(item.line, item.number, title or text, text if title else "", narrative)
