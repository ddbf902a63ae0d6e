"""The judgements of a classic collection as TREC qrels; `pooling.formats.smart` specifies them."""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from pooling.errors import Choice, OpenQuestionError, Problems, TrecFormatError, raise_or_keep, shown
from pooling.formats.smart.known import compared
from pooling.formats.smart.shapes import (
    GRADED,
    LISA_COUNT,
    LISA_QUERY,
    LISTED,
    NUMBER,
    SAMPLE_BYTES,
    SLASH,
    qrels_form,
)

RELEVANT = "1"
END = "-1"  # of a list of LISA
CODES = frozenset(("-1", "1", "2", "3", "4", "5"))
ONE_IS_BEST = "1=4,2=3,3=2,4=1,-1=0"
FOUR_IS_BEST = "1=1,2=2,3=3,4=4,-1=0"
OWN_GRADE = "The code -1, which the readme does not explain, keeps a grade of its own, 0."


class Answers(NamedTuple):
    """What the caller says about a file.

    listed_relevant    a file whose grades are all 0 lists the relevant documents
    codes              the codes whose grades are declared; None if none is
    """

    listed_relevant: bool = False
    codes: Collection[object] | None = None


class _Row(NamedTuple):
    line: int
    query: str
    document: str
    grade: str


NO_ANSWERS = Answers()


def as_trec_qrels(
    content: bytes, file: str, answers: Answers = NO_ANSWERS, problems: Problems = None, notes: list[str] | None = None
) -> bytes:
    """The judgements as TREC qrels; other content is returned as it is.

    The lines keep their numbers, except in the lists of NPL and LISA: there, each judgement gets a line.
    OpenQuestionError if the file can be read in several ways and the answers do not say which.
    """
    form = qrels_form(content[:SAMPLE_BYTES].decode(errors="replace"))
    if form is None:
        return _listed_as_relevant(content) if answers.listed_relevant else content
    try:
        rows = list(READERS[form](content.decode(errors="replace"), file, problems))
        _ask(form, rows, file, answers)
    except OpenQuestionError as question:
        raise_or_keep(question, problems)
        return b""
    if notes is not None and (sentence := compared("judgements", len(rows), file, len({row.query for row in rows}))):
        notes.append(sentence)
    return _written(rows, keeps_lines=form in ("listed", "graded"))


def _listed(text: str, file: str, problems: Problems) -> Iterator[_Row]:
    allowed = "a line has a query, a document, 0 and 0, as the first lines of this file"
    for number, line in _lines(text):
        if found := LISTED.fullmatch(line):
            yield _Row(number, _plain(found[1]), _plain(found[2]), RELEVANT)
        else:
            _refuse(line, allowed, file, number, problems)


def _graded(text: str, file: str, problems: Problems) -> Iterator[_Row]:
    allowed = "a line has a query, a document and a grade, as the first lines of this file"
    for number, line in _lines(text):
        if found := GRADED.fullmatch(line):
            yield _Row(number, _plain(found[1]), _plain(found[2]), found[3])
        else:
            _refuse(line, allowed, file, number, problems)


def _npl(text: str, file: str, problems: Problems) -> Iterator[_Row]:
    query = ""
    for number, line in _lines(text):
        if line.strip() == SLASH:
            query = ""
        elif not query and NUMBER.fullmatch(line):
            query = _plain(line.strip())
        else:
            allowed = "a query and its documents are numbers, up to a line /"
            yield from _documents(query, line.split(), line, allowed, file, number, problems)


def _lisa(text: str, file: str, problems: Problems) -> Iterator[_Row]:
    query = ""
    for number, line in _lines(text):
        if found := LISA_QUERY.fullmatch(line):
            query = _plain(found[1])
        elif LISA_COUNT.fullmatch(line):
            continue
        else:
            allowed = "a query is Query and its number, 2 Relevant Refs:, and the numbers of documents up to -1"
            numbers = [word for word in line.split() if word != END]
            yield from _documents(query, numbers, line, allowed, file, number, problems)


READERS: dict[str, Callable[[str, str, Problems], Iterator[_Row]]] = {
    "listed": _listed,
    "graded": _graded,
    "npl": _npl,
    "lisa": _lisa,
}


def _documents(
    query: str, words: list[str], line: str, allowed: str, file: str, number: int, problems: Problems
) -> Iterator[_Row]:
    if not query or not all(NUMBER.fullmatch(word) for word in words):
        _refuse(line, allowed, file, number, problems)
        return
    for word in words:
        yield _Row(number, query, _plain(word), RELEVANT)


def _ask(form: str, rows: list[_Row], file: str, answers: Answers) -> None:
    """OpenQuestionError if the answers do not say what the grades mean."""
    if form == "listed" and not answers.listed_relevant:
        raise all_zero(len(rows), file)
    grades = {row.grade for row in rows}
    if form != "graded" or len(grades) < 2 or not grades <= CODES:
        return
    declared = {str(code) for code in answers.codes or ()}
    if missing := grades - declared:
        raise _unknown_codes(grades, missing if declared else set(), file)


def all_zero(n_lines: int, file: str) -> OpenQuestionError:
    """The question whether a file whose grades are all 0 lists the relevant documents."""
    grades = "the only grade is 0" if n_lines == 1 else f"all {n_lines:,} grades are 0"
    what = f"{grades}; as in CACM, CISI and ADI, the file seems to list the relevant documents"
    allowed = "say that a listed document is relevant: --listed-relevant, or listed_relevant=True"
    listed = "document is" if n_lines == 1 else "documents are"
    choices = (Choice("true", f"The listed {listed} relevant."),)
    return OpenQuestionError(what, allowed, file, option="listed_relevant", choices=choices)


def _unknown_codes(grades: set[str], missing: set[str], file: str) -> OpenQuestionError:
    codes = ", ".join(sorted(grades, key=int))
    what = f"the grades {codes} are codes without a 0, and the file does not say whether 1 or 4 is the best"
    if missing:
        what = f"the mapping does not name the codes {', '.join(sorted(missing, key=int))}"
    allowed = (
        f"declare all codes with --map or mapping: {ONE_IS_BEST} if 1 is the best, as in the readme of Cranfield, or "
        f"{FOUR_IS_BEST} if 4 is the best"
    )
    choices = (
        Choice(ONE_IS_BEST, f"1 is the best grade, as in the readme of Cranfield: {ONE_IS_BEST}. {OWN_GRADE}"),
        Choice(FOUR_IS_BEST, f"4 is the best grade: {FOUR_IS_BEST}. {OWN_GRADE}"),
    )
    return OpenQuestionError(what, allowed, file, option="mapping", choices=choices)


def _listed_as_relevant(content: bytes) -> bytes:
    """TREC qrels with the grade 1 on each line if it is 0 on all of them; other content as it is."""
    lines = [line.rstrip() for line in content.split(b"\n")]
    is_judged = [bool(line) and not line.lstrip().startswith(b"#") for line in lines]
    fields = [line.split() for line, judged in zip(lines, is_judged, strict=True) if judged]
    if not all(len(row) == 4 and row[3] == b"0" for row in fields):
        return content
    changed = (line[:-1] + b"1" if judged else line for line, judged in zip(lines, is_judged, strict=True))
    return b"\n".join(changed)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.rstrip("\r")


def _plain(number: str) -> str:
    return number.lstrip("0") or "0"


def _refuse(line: str, allowed: str, file: str, number: int, problems: Problems) -> None:
    raise_or_keep(TrecFormatError(f"the line is {shown(line.strip()[:80])}", allowed, file, number), problems)


def _written(rows: list[_Row], keeps_lines: bool) -> bytes:
    texts = [f"{row.query} 0 {row.document} {row.grade}" for row in rows]
    if not keeps_lines:
        return "\n".join(texts).encode()
    lines = [""] * (rows[-1].line if rows else 0)
    for row, text in zip(rows, texts, strict=True):
        lines[row.line - 1] = text
    return "\n".join(lines).encode()
