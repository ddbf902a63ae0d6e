"""Read the grades of model judges, which may be fractions.

A model may answer with a share, such as the nuggets that a document has, or with the mean of several grades. These
numbers are kept as they are: estimates and rankings use them, and a coefficient needs a threshold or a mapping for
them. `agreement.read_judgements` reads whole grades only.

A negative number means "not judged". A file without a judgement is left out, and a note says so. A document that occurs
again in a topic with another grade is an error unless a rule chooses a grade.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.judge_files.contents import JudgementFile
from agreement.judge_files.options import NamedSource, Sources, named_sources
from pooling.errors import FormatError, TrecFormatError, shown
from pooling.trec import MAX_BYTES, display_name, file_content, parse_score
from pooling.words import count

PAIR = ["query_id", "doc_id"]
DUPLICATES = ("error", "first", "last", "highest", "lowest", "mean")
GREATEST = 2**31 - 1


@dataclass(frozen=True)
class ModelGrades:
    """The grades of model judges; returned by `read_model_grades`.

    Attributes
    ----------
    golds : dict of str to DataFrame
        By the name of the judge: the columns query_id, doc_id (str) and relevance (int64, or float64 if a grade is a
        fraction).
    notes : list of str
        A sentence for each file that was unusual.
    """

    golds: dict[str, pd.DataFrame]
    notes: list[str]


def read_model_grades(
    sources: Sources, *, duplicates: str = "error", mapping: Mapping[str, Mapping[float, float]] | None = None
) -> ModelGrades:
    """Read one file of grades for each model judge.

    Parameters
    ----------
    sources : path, iterable of paths, or mapping of str to source
        The files, as in `agreement.read_judgements`. A file that names its judges is several judges.
    duplicates : {"error", "first", "last", "highest", "lowest", "mean"}, optional
        A document that occurs again in a topic with another grade: an error, or the rule that makes one grade.
    mapping : mapping of str to mapping of float to float, optional
        By the name of the judge, the grades that replace its grades: ``{"exam": {4: 3, 5: 3}}``. Others are kept.

    Returns
    -------
    ModelGrades

    Raises
    ------
    ValueError
        No file has a judgement, a grade is not a finite number, a document has two grades, or an option is unknown.

    Examples
    --------
    >>> from agreement.trust.model_files import read_model_grades
    >>> read_model_grades({"nuggets": b"1 0 d1 0.25\\n1 0 d2 0\\n"}).golds["nuggets"]
      query_id doc_id  relevance
    0        1     d1       0.25
    1        1     d2       0.00
    """
    if duplicates not in DUPLICATES:
        raise ValueError(f"duplicates must be one of {', '.join(DUPLICATES)}, not {duplicates!r}.")
    golds: dict[str, pd.DataFrame] = {}
    notes: list[str] = []
    for name, source in named_sources(sources).items():
        for judge, rows, file in _judges_of(name, source, notes):
            if judge in golds:
                raise ValueError(f"Two files have the judge {judge!r}. Write a judge as NAME=FILE with other names.")
            golds[judge] = _gold_of(rows, judge, file, duplicates, notes)
    _replace_grades(golds, mapping or {})
    empty = [judge for judge, gold in golds.items() if not len(gold)]
    notes += [f"{judge}: the file has no judgements; the judge is left out." for judge in empty]
    golds = {judge: gold for judge, gold in golds.items() if len(gold)}
    if not golds:
        raise ValueError("No file of a model judge has a judgement.")
    return ModelGrades(golds, notes)


def _judges_of(name: str, source: NamedSource, notes: list[str]) -> list[tuple[str, pd.DataFrame, str]]:
    """The judge, the labels and the file name of each judge of a file."""
    file = name if isinstance(source.source, bytes) else display_name(source.source)
    content = file_content(source.source, MAX_BYTES, file, None, None)
    if not content.strip():
        return [(name, pd.DataFrame(columns=["line", *PAIR, "label"]), file)]
    rows = JudgementFile(content, file, name, source.is_explicit).read(None, notes).rows
    return [(str(judge), labels, file) for judge, labels in rows.groupby("assessor", sort=False)]


def _gold_of(rows: pd.DataFrame, judge: str, file: str, duplicates: str, notes: list[str]) -> pd.DataFrame:
    codes, labels = pd.factorize(rows["label"])
    numbers = np.array([_number_of(str(label)) for label in labels], dtype=np.float64)[codes]
    if np.isnan(numbers).any():
        row = rows.iloc[int(np.isnan(numbers).argmax())]
        allowed = "the grade of a model judge is a number"
        raise FormatError(f"label {shown(str(row['label']))} is not allowed", allowed, file, int(row["line"]))
    graded = rows[["line", *PAIR]].assign(relevance=numbers)[numbers >= 0]
    if n_left := len(rows) - len(graded):
        notes.append(f"{judge}: {count(n_left, 'negative grade')} read as not judged.")
    return _whole_if_possible(_one_per_pair(graded, judge, file, duplicates, notes))


def _number_of(label: str) -> float:
    """The number of a label; NaN for another text and for a number of more than 32 bits."""
    value = parse_score(label, "float64")
    return np.nan if value is None or abs(value) > GREATEST else value


def _one_per_pair(rows: pd.DataFrame, judge: str, file: str, duplicates: str, notes: list[str]) -> pd.DataFrame:
    repeated = rows.duplicated(PAIR, keep=False)
    if not repeated.any():
        return rows[[*PAIR, "relevance"]].reset_index(drop=True)
    grades = rows.groupby(PAIR, sort=False)["relevance"]
    contradicts = grades.transform("nunique") > 1
    if contradicts.any() and duplicates == "error":
        raise _contradiction(rows, grades.transform("first"), file)
    pairs = rows.drop_duplicates(PAIR)
    if duplicates in ("highest", "lowest", "mean", "last"):
        how: Any = {"highest": "max", "lowest": "min"}.get(duplicates, duplicates)
        pairs = pairs.assign(relevance=grades.transform(how))
    n_pairs, n_contradicting = (int((~rows[which].duplicated(PAIR)).sum()) for which in (repeated, contradicts))
    rule = f" ({duplicates})" if n_contradicting else ""
    notes.append(
        f"{judge}: {count(n_pairs, 'document')} graded more than once, {n_contradicting:,} with different grades{rule}."
    )
    return pairs[[*PAIR, "relevance"]].reset_index(drop=True)


def _contradiction(rows: pd.DataFrame, first: "pd.Series[float]", file: str) -> TrecFormatError:
    row = rows[rows["relevance"] != first].iloc[0]
    earlier = rows[(rows[PAIR] == row[PAIR]).all(axis=1)].iloc[0]
    return TrecFormatError(
        f"document {row['doc_id']!r} of topic {row['query_id']!r} has grade {row['relevance']:g} and, on line"
        f" {earlier['line']}, {earlier['relevance']:g}",
        "a model judge has one grade for a document of a topic, or set 'duplicates' to 'last' or another rule",
        file,
        int(row["line"]),
        "doc_id",
        str(row["doc_id"]),
    )


def _replace_grades(golds: dict[str, pd.DataFrame], mapping: Mapping[str, Mapping[float, float]]) -> None:
    for judge, grades in mapping.items():
        if judge not in golds:
            raise ValueError(f"The mapping names the judge {judge!r}; the judges are {', '.join(golds)}.")
        golds[judge] = golds[judge].assign(relevance=golds[judge]["relevance"].replace(dict(grades)))


def _whole_if_possible(gold: pd.DataFrame) -> pd.DataFrame:
    whole = gold["relevance"].to_numpy(dtype=np.float64)
    return gold.astype({"relevance": "int64"}) if (whole == np.rint(whole)).all() else gold
