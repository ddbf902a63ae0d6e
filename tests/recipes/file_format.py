"""A file format: topics as lines such as "301: green tea"."""

NAME = "colon_topics"
FORMAT = f"pooling/formats/{NAME}.py"
RECOGNISE = "pooling/formats/recognise.py"
KINDS = "pooling/formats/file_kinds.py"
READERS = "pooling/formats/topic_formats.py"

NEW = {
    FORMAT: '''"""Topics as lines of an id, a colon, a blank and a title: "301: green tea". Empty lines are ignored."""

import re
from collections.abc import Iterator

from pooling.errors import FormatError, shown

LINE = re.compile(r"([^\\s:]+): (\\S.*)")


def colon_topics(text: str, file: str) -> Iterator[tuple[int, str, str]]:
    """Yield line number, query_id and title of each topic."""
    for number, line in enumerate(text.split("\\n"), start=1):
        if not line.strip():
            continue
        if (found := LINE.fullmatch(line.strip())) is None:
            raise FormatError(f"the line is {shown(line)}", "a line has an id, a colon and a title", file, number)
        yield number, found[1], found[2]
'''
}
CHANGES = [
    (
        RECOGNISE,
        "from pooling.formats.fields import OTHER_NAMES",
        f"from pooling.formats.{NAME} import LINE as COLON_TOPIC\nfrom pooling.formats.fields import OTHER_NAMES",
    ),
    (
        KINDS,
        '        FileKind("topics", "jsonl_topics",',
        f'        FileKind("topics", "{NAME}", "topics with colons"),\n        FileKind("topics", "jsonl_topics",',
    ),
    (
        RECOGNISE,
        "    if _most(len(row) == 2 for row in cells):\n",
        "    if _most(COLON_TOPIC.fullmatch(line.strip()) is not None for line in lines):\n"
        f'        return FILE_KINDS["{NAME}"]\n'
        "    if _most(len(row) == 2 for row in cells):\n",
    ),
    (
        READERS,
        "from pooling.formats.fields import",
        f"from pooling.formats.{NAME} import LINE as COLON_TOPIC\nfrom pooling.formats.{NAME} import {NAME}\n"
        "from pooling.formats.fields import",
    ),
    (
        READERS,
        '    is_csv = "\\t" not in first_line',
        "    if COLON_TOPIC.fullmatch(first_line.strip()):\n        return _colon_topics\n"
        '    is_csv = "\\t" not in first_line',
    ),
    (
        READERS,
        "def _tsv_topics(",
        "def _colon_topics(text: str, file: str, _problems: Problems) -> Iterator[Topic]:\n"
        f"    for line, query_id, title in {NAME}(text, file):\n"
        '        yield Topic(line, query_id, title, "", "")\n\n\n'
        "def _tsv_topics(",
    ),
]
