"""One file that is one document: plain text, Markdown or HTML.

The ending of the name decides: `.html`, `.htm` and `.xhtml` HTML; `.md` and `.markdown` Markdown; `.txt`, `.text` or
none plain text. The doc_id is the path without this ending, each blank replaced by `_`. The text is UTF-8; HTML may
declare another encoding of the web. The title of HTML is its `<title>`.
"""

import codecs
import html
import re
from pathlib import PurePosixPath

from pooling._io.records import checked_id, decoded
from pooling._io.streams import BYTE_ORDER_MARK
from pooling.errors import FormatError, shown
from pooling.formats.document import Document

FORMATS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    "": "text",
}
ALLOWED = f"a document is a file with the ending {', '.join(filter(None, FORMATS))}, or none"
MAX_TITLE = 1000  # characters
HEAD = 1 << 16  # bytes or characters that are searched for the title and the encoding
CHARSET = re.compile(rb"charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
# Encodings that pages have. Others, such as punycode, may take much time, or are no text.
WEB_ENCODINGS = re.compile(
    r"utf-8|utf-16|utf-16-le|utf-16-be|ascii|iso8859-[0-9]{1,2}|cp125[0-8]|cp866|cp874|koi8-[ru]|mac-roman|gb2312|gbk|"
    r"gb18030|big5|euc_jp|euc_kr|shift_jis|iso2022_jp|cp932|cp949"
)


def page(path: str, data: bytes, file: str, number: int) -> Document:
    """The document that a file is. `path` is its name within the archive or folder, with `/`."""
    ending = PurePosixPath(path).suffix.lower()
    if ending not in FORMATS:
        raise FormatError(f"the file {shown(path)} ends with {ending}", ALLOWED, file, number)
    text_format = FORMATS[ending]
    doc_id = checked_id(doc_id_of(path), "doc_id", file, number)
    if text_format != "html":
        text = decoded(data.removeprefix(BYTE_ORDER_MARK), f"{file}, {path}" if path != file else file)
        return Document(doc_id, "", text, {}, number, text_format)
    text = decoded_page(data, None)
    return Document(doc_id, title_of(text), text, {}, number, text_format)


def doc_id_of(path: str) -> str:
    """The path without the ending of a page, each blank replaced by `_`."""
    pure = PurePosixPath(path)
    plain = pure.with_suffix("") if pure.suffix.lower() in FORMATS else pure
    return re.sub(r"\s", "_", str(plain))


def decoded_page(data: bytes, charset: str | None) -> str:
    """The text of a page in the encoding that the server or the page declares, and otherwise in UTF-8.

    Bytes that the encoding does not have, and NUL characters, become U+FFFD, as in a browser.
    """
    declared = CHARSET.search(data[:HEAD])
    names = [name for name in (charset, declared and declared[1].decode()) if name]
    if data.startswith(BYTE_ORDER_MARK):
        names = ["utf-8-sig"]
    encoding = next(filter(None, map(_web_encoding, names)), "utf-8")
    return data.decode(encoding, errors="replace").removeprefix("\ufeff").replace("\0", "\ufffd")


def _web_encoding(name: str) -> str | None:
    try:
        encoding = codecs.lookup(name.strip("\"' ")[:40]).name
    except (LookupError, ValueError):
        return None
    # In browsers, Latin 1 means Windows 1252.
    return "cp1252" if encoding == "iso8859-1" else encoding if WEB_ENCODINGS.fullmatch(encoding) else None


def title_of(text: str) -> str:
    """The `<title>` of a page; empty if it has none at its beginning."""
    head = text[:HEAD]
    lower = head.lower() if len(head.lower()) == len(head) else head
    start = lower.find("<title")
    inside = lower.find(">", start) + 1
    end = lower.find("</title", inside)
    if start < 0 or inside <= 0 or end < 0:
        return ""
    return " ".join(html.unescape(head[inside:end][:MAX_TITLE]).split())
