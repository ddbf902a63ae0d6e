r"""The classic collections in the files of the SMART system: CACM, CISI, ADI, MED, Cranfield, NPL (Vaswani) and LISA.

SMART items
    An item begins with a line ``.I`` and a number. A tag is a line that is exactly a full stop and one capital letter;
    blanks may follow. The lines below a tag are its field. A tag that occurs again in an item continues its field. Any
    other line is text, also ``.`` and ``.5 percent``. Text above the first tag of an item belongs to ``.W``.

NPL
    An item is a line with its number, and its text up to a line that holds only ``/``. The blanks before the ``/`` tell
    documents from topics.

LISA
    A document is a line ``Document`` and its number, its title, a blank line, its text, and a line of asterisks. A
    topic is a line with its number, and its text up to ``#``.

Documents
    The title is ``.T``, and the text ``.W``. A document without ``.W`` has its title as its text. The other fields are
    metadata under the names of `FIELDS`; an unknown tag keeps its letter.

Topics
    The title is ``.T``, and ``.W`` the description; without ``.T``, ``.W`` is the title. The other fields follow in the
    narrative, each after its name.

Qrels
    ``query document 0 0`` or ``query document 0 0.000000`` (CACM, CISI, ADI, an old file of MED): the files list the
    relevant documents, and an option must say so, because as grades of qrels these would all be 0.
    ``query document grade`` (MED, Cranfield). Grades of 1 and more without any 0 are codes, of which the caller must
    say what they mean. The list of NPL: a line with the query, the documents, and a line ``/``. The list of LISA:
    ``Query 1``, ``2 Relevant Refs:``, the documents, and ``-1``. Zeros at the beginning of the numbers of queries and
    documents are removed, because the items have none; the topics of Cranfield, which have them, are matched by
    `pooling.formats.smart.numbering`.

The last item of a file without any content is left out, and a note names it. Notes also compare the numbers of
documents, topics and judgements with those of the known files (`pooling.formats.smart.known`).
"""

FIELDS = {
    "A": "author",
    "B": "source",
    "C": "categories",
    "K": "keywords",
    "N": "entry",
    "X": "citations",
}
