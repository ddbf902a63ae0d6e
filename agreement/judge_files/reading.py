"""Read the files of many judges; `agreement.judge_files` describes the steps."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from agreement.judge_files.contents import FileLabels, JudgementFile, ReadOptions, without_texts
from agreement.judge_files.notes import COUNTS, counts_sentence
from agreement.judge_files.options import (
    Grades,
    LabelOptions,
    NamedSource,
    Sources,
    answers_for,
    check_choice,
    named_sources,
    per_judge,
)
from agreement.judge_files.tables import NO_JUDGEMENT, NUMBER_IDS
from agreement.judge_files.treatment import first_of, treat
from pooling.errors import TrecFormatError
from pooling.formats.comments import comment_sentence
from pooling.formats.fields import Given, check_given
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.trec import MAX_BYTES, Problems, as_report, display_name, file_content, read_labels
from pooling.words import count

COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]
MAX_JUDGES = 5_000  # of a file; each costs milliseconds, so a hostile file of as many judges as lines would take hours
OPTIONAL_COLUMNS = ("repeat", "confidence")


@dataclass(frozen=True, eq=False, repr=False)
class JudgementFiles(Result):
    """The judgements of many files, and what was unusual about each judge.

    Attributes
    ----------
    judgements : DataFrame of shape (judgements, 4 to 6)
        Columns assessor, query_id, doc_id (str) and relevance (int64); and repeat (int64) and confidence (float64,
        missing values allowed) if a file has them. In the order of the files and lines.
    counts : DataFrame of shape (judges, 19)
        One row for each judge: assessor, file, and the numbers of lines, judgements, invalid, other_kinds, empty,
        number_ids (rows of a spreadsheet), no_judgement, decimals, rounded, not_judged, mapped, off_scale, clipped,
        dropped, identical_pairs, contradicting_pairs and repeated. lines is the sum of judgements, invalid,
        other_kinds, empty, no_judgement, not_judged, dropped and repeated. A judge whose rows are all decisions,
        norming, practice, checks or no judgements has a row as well.
    problems : DataFrame of shape (invalid lines, 6)
        Columns file, line, column, value, what and allowed. Empty unless `on_error="report"`.
    options : dict of str to dict
        The options of each judge as JSON values, without those that have their default.
    empty_rows : dict of str to int
        The number of rows of a table without any text, and of records of an export that no judge has answered, by the
        name of the file that has them.
    comment_lines : dict of str to int
        The number of lines of qrels that were ignored as comments, by the name of the file that has them.

    Examples
    --------
    >>> from agreement import read_judgements
    >>> read = read_judgements({"model": b"1 0 d1 2\\n1 0 d2 7\\n"}, scale=(0, 1, 2, 3), off_scale="clip")
    >>> read.notes()
    ['model: 1 label off the scale clipped.']
    """

    judgements: pd.DataFrame
    counts: pd.DataFrame
    problems: pd.DataFrame
    options: dict[str, dict[str, Any]]
    empty_rows: dict[str, int] = field(default_factory=dict)
    comment_lines: dict[str, int] = field(default_factory=dict)

    def to_frame(self) -> pd.DataFrame:
        """Return `judgements`."""
        return self.judgements

    def _sentence(self) -> str:
        others = self.counts["other_kinds"] + self.counts["no_judgement"]
        has_only_others = (others > 0) & (others == self.counts["lines"])
        judges = count(int((~has_only_others).sum()), "judge", zero="no")
        return "\n".join([f"{count(len(self.judgements), 'judgement', zero='no')} of {judges}", *self.notes()])

    def _paper_table(self) -> pd.DataFrame:
        """The counts of each judge, without the columns that are 0 for all."""
        numbers = self.counts.drop(columns="file").set_index("assessor")
        return rounded(numbers.loc[:, (numbers != 0).any()].reset_index())

    def notes(self) -> list[str]:
        """One sentence for each judge whose file was unusual, and for each file with empty rows.

        Returns
        -------
        list of str
            In the order of the judges. Empty if every line was read as it is.
        """
        sentences = {row["assessor"]: self._unusual(row) for row in self.counts.to_dict("records")}
        empty = {file: f"{count(n_rows, 'empty row')} left out" for file, n_rows in self.empty_rows.items()}
        comments = {file: comment_sentence(n_lines) for file, n_lines in self.comment_lines.items()}
        by_name = [*sentences.items(), *empty.items(), *comments.items()]
        unusual = [f"{name}: {sentence}." for name, sentence in by_name if sentence]
        return unusual + self._alike()

    def _alike(self) -> list[str]:
        """A sentence for judges whose names differ only in case or blanks: they may be one person."""
        numbers = dict(zip(self.counts["assessor"], self.counts["judgements"].tolist(), strict=True))
        same: dict[str, list[str]] = {}
        for judge in numbers:
            same.setdefault("".join(judge.casefold().split()), []).append(judge)
        return [
            f"{' and '.join(f'{name!r} ({numbers[name]:,})' for name in names)} are {len(names)} judges whose names "
            "differ only in case or blanks."
            for names in same.values()
            if len(names) > 1
        ]

    def declared_scale(self) -> tuple[int, ...] | None:
        """Return the scale with which the files were read; None if every whole number from 0 was a grade.

        Returns
        -------
        tuple of int or None
        """
        scales = [options["scale"] for options in self.options.values()]
        return tuple(scales[0]) if scales and scales[0] is not None else None

    def _unusual(self, counts: Mapping[Any, Any]) -> str:
        return counts_sentence(counts, self.options[counts["assessor"]])


def read_judgements(
    sources: Sources,
    *,
    scale: Grades | None,
    off_scale: str = "error",
    mapping: Mapping[Any, int] | Mapping[str, Mapping[Any, int]] | None = None,
    own_scale: Grades | Mapping[str, Grades] | None = None,
    duplicates: str = "error",
    rounding: str | None = None,
    decimals: str = "error",
    negative: str = "error",
    on_error: str = "raise",
    name_pattern: str | None = None,
    columns: Given | None = None,
    field: str | None = None,
    listed_relevant: bool = False,
    max_bytes: int = MAX_BYTES,
) -> JudgementFiles:
    """Read the judgements of many judges, one file each.

    A file is qrels-like (``query_id iteration doc_id label``, separated by spaces or tabs), a table with a header
    (``query_id,doc_id,relevance``, and optionally ``assessor``, ``repeat``, ``adjudicated``, ``confidence`` and
    ``state``; or ``query_id,doc_id`` and a column for each judge), records of judgements as JSON, or an export of
    Argilla, doccano, Label Studio, OpenSearch, Potato, Prodigy or Quepid (`pooling.formats.exports`). It may be
    compressed with gzip, bzip2 or xz. A table may be a sheet of an .xlsx or .ods file, whose ids are read as whole
    numbers if they are no texts. Exports of doccano or Potato may be a ZIP file with one file for each annotator. A
    table with the column assessor may hold several judges. Its columns may have other common names, such as judge,
    topic, document and grade, and are separated by commas, semicolons or tabs. A cell of a grade that is empty, ``NA``,
    ``None`` or ``-`` is no judgement. Decisions of adjudicators, and rows of norming rounds, practice and checks, are
    left out. All are counted.

    Every label goes through these steps in this order: it is parsed; rounded to a whole number, since a scale has
    whole grades; set aside if it is negative, before clipping could turn "not judged" into the lowest grade; checked
    against the judge's own scale, if one is declared; mapped; checked against the scale. Last, one grade is kept for
    each document of a topic, so that two labels that mean the same grade do not contradict each other. A judge's
    mapping and own scale may name negative grades, which are then grades like any other.

    Parameters
    ----------
    sources : path, iterable of paths, or mapping of str to source
        The files. A path may be a pattern such as "scores/*.txt.gz" or "NAME=FILE". A mapping gives the names of the
        judges; its values are paths, bytes or open binary files. A CSV file with the column assessor must be given
        without a name.
    scale : sequence of int or None
        The grades, lowest first. None accepts every whole number from 0.
    off_scale : {"error", "clip", "drop"}, optional
        A grade that is not on the scale: an error; replaced by the lowest or highest grade, whichever is nearer; or
        left out. A grade between two grades of the scale is never clipped.
    mapping : mapping of int or str to int, or mapping of str to such a mapping, optional
        The grade that replaces a grade of the judge: ``{1: 2}`` for a binary judge whose 1 means 2; or a label that is
        not a number: ``{"Relevant": 1}``. Other grades are kept. A mapping by the name
        of the judge applies to the judges that it names, otherwise to all.
    own_scale : sequence of int, or mapping of str to such a sequence, optional
        The grades that the judge can give, before the mapping, lowest first. By default these are the grades that the
        mapping leads to the scale.
    duplicates : {"error", "first", "last", "highest", "lowest", "median"}, optional
        A document that occurs again in a topic with a different grade: an error, or the rule that chooses one. The
        median is taken over the positions on the scale and needs a rounding. The same grade again is accepted.
    rounding : {"half_up", "up", "down"}, optional
        How to round fractions: to the nearest whole number, and .5 up; up; down. By default a fraction is an error.
    decimals : {"error", "whole"}, optional
        A whole number that is written with decimals, such as 1.0: an error, or read as 1. A rounding implies "whole".
    negative : {"error", "not_judged", "off_scale"}, optional
        A negative grade: an error; "not judged", which gives no judgement; or a grade off the scale.
    on_error : {"raise", "report"}, optional
        "raise" raises an error at the first invalid line of a file. "report" leaves invalid lines out and lists them.
    name_pattern : str, optional
        How to find the name of the judge in the name of a file: "{judge}.umbrela.txt". "*" stands for any text. By
        default the name is that of the file without folder, compression and the endings .qrels, .txt and .csv.
    columns : mapping of str to str, optional
        The names of columns of tables that have other names: ``{"assessor": "coder", "relevance": "score"}``. The keys
        are assessor, query_id, doc_id, relevance, repeat, adjudicated, confidence, state, and judges for a list of the
        columns that hold the grades of one judge each.
    field : str, optional
        The field, question or control of the label in an export, which is needed if several have labels.
    listed_relevant : bool, optional
        Whether qrels whose grades are all 0, as in classic collections, list the relevant documents, which get grade 1.
    max_bytes : int, optional
        Largest size of each decompressed file, in bytes.

    Returns
    -------
    JudgementFiles
        With the judgements, the counts of each judge, the problems and the options. Confidences are kept as they are.

    Raises
    ------
    TrecFormatError
        With `on_error="raise"`: a line is invalid under the options, or a file has no line.
    ValueError
        An option is unknown, a pattern matches no file, two files have the same judge, a CSV file with the column
        assessor is given with a name, or a mapping names an unknown judge or leads off the scale.
    OSError
        A file cannot be read.

    Examples
    --------
    >>> from agreement import read_judgements
    >>> files = {"graded": b"1 0 d1 3\\n1 0 d2 0\\n", "binary": b"1 0 d1 1.0\\n1 0 d2 0.0\\n"}
    >>> read = read_judgements(files, scale=(0, 1, 2, 3), mapping={"binary": {1: 2}}, decimals="whole")
    >>> read.judgements
      assessor query_id doc_id  relevance
    0   graded        1     d1          3
    1   graded        1     d2          0
    2   binary        1     d1          2
    3   binary        1     d2          0
    >>> read.notes()
    ['binary: 2 whole labels written with decimals, 1 label mapped (1=2).']
    """
    check_choice("on_error", on_error)
    check_given(columns or {})
    options = {
        "scale": None if scale is None else tuple(scale),
        "off_scale": off_scale,
        "duplicates": duplicates,
        "rounding": rounding,
        "decimals": decimals,
        "negative": negative,
    }
    LabelOptions(**options)  # type: ignore[arg-type]  # invalid options are refused before any file is read
    reading = ReadOptions(columns or {}, field, duplicates == "error", max_bytes)
    problems: list[Any] = []
    parts: list[_LabelsOfJudge] = []
    for name, named in named_sources(sources, name_pattern).items():
        own = replace(reading, answers=answers_for(name, mapping, listed_relevant))
        parts += _labels_of_file(named, name, own, problems if on_error == "report" else None)
    if columns and not any(part.is_table for part in parts):
        raise ValueError("The option columns names columns, but no file is a table with a header.")
    judges = [part.judge for part in parts]
    _refuse_two_files(parts)
    given: Any = mapping  # one mapping for all judges, or one for each
    mappings, scales = per_judge(given, judges, "mapping"), _own_scales(own_scale, judges)
    every = {
        judge: LabelOptions(**options, mapping=mappings.get(judge, {}), own_scale=scales.get(judge))  # type: ignore[arg-type]
        for judge in judges
    }
    return _all_treated(parts, every, problems if on_error == "report" else None)


@dataclass(frozen=True)
class _LabelsOfJudge:
    judge: str
    file: str
    labels: pd.DataFrame
    invalid: int = 0  # lines that could not be read at all
    other_kinds: int = 0  # rows that are no votes
    is_table: bool = False
    number_ids: int = 0  # rows of a sheet with ids that are numbers
    no_judgement: int = 0  # rows of an export without a judgement
    empty_rows: int = 0  # of the file
    comment_lines: int = 0  # of the file


def _labels_of_file(named: NamedSource, judge: str, options: ReadOptions, problems: Problems) -> list[_LabelsOfJudge]:
    """The labels of each judge of a file; `judge` is the judge if the file names none."""
    source = named.source
    name = judge if isinstance(source, bytes) else display_name(source)
    found: Problems = None if problems is None else []
    content = file_content(source, options.max_bytes, name, None, found)
    file = JudgementFile(content, name, judge, named.is_explicit, options)
    try:
        parts = _by_judge(file.read(found), file)
    except TrecFormatError as error:
        if found is None:
            raise
        found.append(error.with_traceback(None))
        parts = [_LabelsOfJudge(judge, name, read_labels(b"", name, []))]
    unread = len([problem for problem in found or [] if problem.line is not None])
    if problems is not None:
        problems += found or []
    # A row of a table that could not be read has no certain judge, so it is counted only for a file of one judge.
    return [replace(part, invalid=unread if len(parts) == 1 else 0) for part in parts]


def _by_judge(labels: FileLabels, file: JudgementFile) -> list[_LabelsOfJudge]:
    """The labels of each judge; a judge whose rows are all left out has no label."""
    if labels.is_qrels:
        rows = labels.rows.drop(columns="assessor")
        return [_LabelsOfJudge(file.judge, file.name, rows, comment_lines=labels.comment_lines)]
    _check_number_of_judges({*labels.rows["assessor"].unique(), *labels.left_out, *labels.user_files}, file.name)
    groups = labels.rows.groupby("assessor", sort=False)
    by_judge = {str(judge): _votes(str(judge), file.name, rows) for judge, rows in groups}
    none = labels.rows.iloc[:0]
    for judge in labels.user_files or (() if by_judge else (file.judge,)):
        by_judge.setdefault(judge, _votes(judge, file.name, none))
    for judge, n_rows in labels.left_out.items():
        by_judge[judge] = replace(by_judge.get(judge) or _votes(judge, file.name, none), no_judgement=n_rows)
    return [
        replace(
            part,
            file=labels.user_files.get(judge, part.file),
            is_table=labels.is_table,
            empty_rows=labels.empty_rows,
        )
        for judge, part in by_judge.items()
    ]


def _check_number_of_judges(judges: Collection[str], file: str) -> None:
    if len(judges) > MAX_JUDGES:
        raise TrecFormatError(f"the file has {len(judges):,} judges", f"at most {MAX_JUDGES:,} are allowed", file)


def _votes(judge: str, file: str, rows: pd.DataFrame) -> _LabelsOfJudge:
    """The rows of a judge that are votes, and the number of the others."""
    is_vote = rows["is_vote"] if "is_vote" in rows else pd.Series(True, index=rows.index)
    labels = without_texts(rows[is_vote]).drop(columns=["assessor", "is_vote", NUMBER_IDS], errors="ignore")
    numbers = int(rows.loc[is_vote, NUMBER_IDS].sum()) if NUMBER_IDS in rows else 0
    return _LabelsOfJudge(judge, file, labels, other_kinds=int((~is_vote).sum()), number_ids=numbers)


def _refuse_two_files(parts: Sequence[_LabelsOfJudge]) -> None:
    files: dict[str, str] = {}
    for part in parts:
        if part.judge in files:
            raise ValueError(f"Judge {part.judge!r} is in two files: {files[part.judge]} and {part.file}.")
        files[part.judge] = part.file


def _own_scales(own_scale: Grades | Mapping[str, Grades] | None, judges: Sequence[str]) -> dict[str, tuple[int, ...]]:
    return {judge: tuple(grades) for judge, grades in per_judge(own_scale, judges, "own_scale").items()}


def _all_treated(
    parts: Sequence[_LabelsOfJudge], options: Mapping[str, LabelOptions], problems: Problems
) -> JudgementFiles:
    frames, counts = [], []
    for part in parts:
        treated = treat(part.labels, options[part.judge], part.judge, part.file, NO_JUDGEMENT if part.is_table else ())
        if problems is None and (first := first_of(treated.problems)):
            raise first
        problems = None if problems is None else [*problems, *treated.problems]
        left_out = {
            "lines": treated.counts["lines"] + part.invalid + part.other_kinds + part.no_judgement,
            "invalid": treated.counts["invalid"] + part.invalid,
            "other_kinds": part.other_kinds,
            "number_ids": part.number_ids,
            "no_judgement": part.no_judgement,
        }
        counts.append({"assessor": part.judge, "file": part.file, **treated.counts, **left_out})
        frames.append(treated.judgements.assign(assessor=part.judge))
    together = pd.concat(frames, ignore_index=True)
    optional = [column for column in OPTIONAL_COLUMNS if column in together]
    if "repeat" in together:
        together["repeat"] = together["repeat"].fillna(0).astype("int64")
    together = together[[*COLUMNS, *optional]].astype({"assessor": "str", "relevance": "int64"})
    table = pd.DataFrame(counts, columns=["assessor", "file", *COUNTS])
    files = {part.file: position for position, part in reversed(list(enumerate(parts)))}
    ordered = sorted(problems or [], key=lambda problem: (files[problem.file], problem.line or 0))
    every = {judge: each.to_dict() for judge, each in options.items()}
    empty_rows = {part.file: part.empty_rows for part in parts if part.empty_rows}
    comments = {part.file: part.comment_lines for part in parts if part.comment_lines}
    return JudgementFiles(together, table, as_report(ordered), every, empty_rows, comments)
