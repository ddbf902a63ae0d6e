"""Read the labels of one file of judgements, whatever its format: qrels, a table, a sheet or an export.

`pooling.formats.recognise` names the formats. A file that names its judges is refused if the user has named its judge.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from agreement.judge_files.tables import Table, table_labels, text_table, unknown_file, without_changed_ids
from agreement.judge_files.user_archive import read_users
from pooling.errors import FormatError
from pooling.formats.beir_zip import beir_qrels_content
from pooling.formats.comments import comment_lines
from pooling.formats.exports.reading import EXPORTS, read_export
from pooling.formats.fields import Given
from pooling.formats.recognise import SAMPLE_BYTES, is_beir, recognise
from pooling.formats.smart.qrels import Answers, as_trec_qrels
from pooling.formats.tables import refuse_subtopics
from pooling.formats.zip_kinds import zip_kind
from pooling.trec import MAX_BYTES, Problems, read_labels

CLASSIC_QRELS = ("smart_qrels", "npl_qrels", "lisa_qrels")


@dataclass(frozen=True)
class FileLabels:
    """The labels of a file, one row for each.

    `rows` has the columns line, assessor, query_id, doc_id and label; is_vote and number_ids if it is a table; repeat
    and confidence if the table has them; query and comment if it is an export.
    """

    rows: pd.DataFrame
    is_table: bool = False
    is_qrels: bool = False  # of one judge
    left_out: Mapping[str, int] = field(default_factory=dict)  # rows of each judge that are no judgements
    empty_rows: int = 0  # rows of a table without any text, and records of an export without an answer
    comment_lines: int = 0  # of qrels
    user_files: Mapping[str, str] = field(default_factory=dict)  # the file of each judge in an archive


@dataclass(frozen=True)
class ReadOptions:
    """How the user wants files read: names of columns, the field of the label, and what is refused."""

    columns: Given = field(default_factory=dict)
    field_name: str | None = None  # of an export
    refuses_subtopics: bool = False
    max_bytes: int = MAX_BYTES
    answers: Answers = field(default_factory=Answers)  # about files of the classic collections


@dataclass(frozen=True)
class JudgementFile:
    """The decompressed content of a file, and how to read it.

    `judge` is whose labels these are if the file names no judge, and `is_named` whether the user has named it.
    """

    content: bytes
    name: str
    judge: str
    is_named: bool = False
    options: ReadOptions = ReadOptions()

    def read(self, problems: Problems, notes: list[str] | None = None) -> FileLabels:
        """The labels. A problem is raised, or added to `problems` if it is a list; `notes` gets sentences."""
        form = _format_of(self.content)
        if form == "beir_zip":
            content, name = beir_qrels_content(self.content, self.name, self.options.max_bytes)
            return replace(self, content=content, name=name).read(problems, notes)
        if form == "doccano_zip":
            return self._users(problems)
        if form == "judgement_sheet":
            return self._table(self._sheet(), problems)
        if form in CLASSIC_QRELS or self.options.answers.listed_relevant:
            content = as_trec_qrels(self.content, self.name, self.options.answers, problems, notes)
            return replace(self, content=content)._text(form, problems)
        return self._text(form, problems)

    def _text(self, form: str, problems: Problems) -> FileLabels:
        """The labels of a text. If the user has named columns, an export is read as a table if it has them."""
        if form in EXPORTS and not self.options.columns:
            return self._export(form, problems)
        if not is_beir(self.content):
            if table := text_table(self.content, self.name, self.options.columns):
                return self._table(table, problems)
            if form in EXPORTS:
                return self._export(form, problems)
            if not problems and (unknown := unknown_file(self.content, self.name)):
                raise unknown
        return self._qrels(problems)

    def _users(self, problems: Problems) -> FileLabels:
        if self.is_named:
            raise ValueError(self._has_judges())
        users = read_users(self.content, self.name, self.options.max_bytes, problems, self.options.field_name)
        rows = [user.labels.assign(assessor=user.judge) for user in users]
        together = pd.concat(rows, ignore_index=True) if rows else self._qrels([]).rows
        left_out = {user.judge: user.left_out for user in users if user.left_out}
        return FileLabels(together, left_out=left_out, user_files={user.judge: user.name for user in users})

    def _sheet(self) -> Table:
        from agreement.judge_files.sheets import sheet_table  # loads the readers of XML and of spreadsheets

        return sheet_table(self.content, self.name, self.options.columns, self.options.max_bytes)

    def _table(self, table: Table, problems: Problems) -> FileLabels:
        if self.is_named and table.columns.names_judges:
            has = "a column for each judge" if table.columns.judges else "the column assessor, which names its judges"
            raise ValueError(
                f"{self.name}: the file has {has}, so the name {self.judge!r} cannot be given. Give the path alone, or "
                "remove the column."
            )
        left_out: Counter[str] = Counter()
        rows = table_labels(table, self.name, self.judge, problems, left_out)
        return FileLabels(rows, is_table=True, left_out=left_out, empty_rows=len(table.empty_rows))

    def _export(self, form: str, problems: Problems) -> FileLabels:
        left_out: Counter[str] = Counter()
        rows = read_export(self.content, form, self.name, problems, left_out, self.options.field_name)
        rows = without_changed_ids(rows, self.name, problems)
        names_judges = bool((set(rows["assessor"]) | set(left_out)) - {""})
        if self.is_named and (set(rows["assessor"]) | set(left_out)) - {"", self.judge}:
            raise ValueError(self._has_judges())
        unanswered = left_out.pop("", 0)  # records of no judge, if the file names its judges
        if self.judge and not names_judges:
            left_out[self.judge] += unanswered
            unanswered = 0
        rows["assessor"] = rows["assessor"].where(rows["assessor"] != "", self.judge)
        return FileLabels(rows, left_out=+left_out, empty_rows=unanswered)

    def _has_judges(self) -> str:
        return f"{self.name}: the file names its judges, so the name {self.judge!r} cannot be given."

    def _qrels(self, problems: Problems) -> FileLabels:
        """Lines of qrels; none of a file that is corrupt or too large, which is a problem already."""
        content = b"" if problems else self.content
        if self.options.refuses_subtopics and refuse_subtopics(content, self.name, problems):
            content = b""
        rows = read_labels(content, self.name, problems)
        return FileLabels(rows.assign(assessor=self.judge), is_qrels=True, comment_lines=comment_lines(content))


def _format_of(content: bytes) -> str:
    """The name of the format; empty if it is unknown. The reader of a corrupt archive says that it is corrupt."""
    try:
        return recognise(content, name="judgements").format
    except FormatError:
        return zip_kind(content[:SAMPLE_BYTES]) or ""


def without_texts(rows: pd.DataFrame) -> pd.DataFrame:
    """Labels without the text of the query and the comment."""
    return rows.drop(columns=["query", "comment"], errors="ignore")
