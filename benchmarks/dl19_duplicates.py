"""Make the tables of docs/studies/near-duplicates-dl19.md: near-duplicates in TREC 2019 Deep Learning.

`python -m benchmarks.dl19_duplicates` writes the tables between the markers in the page; the prose is written by hand.
The data are not part of the repository; see `tests/realdata.py`.
"""

import os
import re
from itertools import combinations
from pathlib import Path

import pandas as pd

from benchmarks.tiny import DOCS
from pooling import NearDuplicates, inconsistent_groups, near_duplicates, read_documents, read_qrels
from pooling.text_tables import render, rounded

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "dl19"
PAGE = DOCS / "studies" / "near-duplicates-dl19.md"
JUDGES = tuple(f"judge{number}" for number in range(1, 9))
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
LISTED = 0.8
RELEVANT = 2


def passages() -> dict[str, str]:
    """Return the text of every passage."""
    return {document.doc_id: document.text for document in read_documents(DATA / "documents.jsonl.gz")}


def judgements(names: tuple[str, ...]) -> pd.DataFrame:
    """Return the judgements of these judges."""
    frames = [read_qrels(DATA / "judges" / f"{name}.qrels").assign(assessor=name) for name in names]
    return pd.concat(frames, ignore_index=True)


def sizes(found: NearDuplicates) -> pd.DataFrame:
    """Return the pairs and groups at each threshold."""
    rows = []
    for threshold in THRESHOLDS:
        groups = found.groups(threshold)
        pairs = int((found.pairs["similarity"] >= threshold).sum())
        members = [len(group) for group in groups]
        rows.append((threshold, pairs, len(groups), sum(members), max(members)))
    return pd.DataFrame(rows, columns=["threshold", "pairs", "groups", "passages", "largest group"])


def consistency(found: NearDuplicates, judged: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Return for each judge the groups with two judged passages or more of a topic, and how many are inconsistent.

    `same grade` is the share of pairs of these passages with the same grade, and `same relevance` with both or neither
    at grade 2 or more.
    """
    groups = found.groups(threshold)
    inconsistent = inconsistent_groups(groups, judged)["judge"].value_counts()
    position = {doc_id: at for at, group in enumerate(groups) for doc_id in group}
    grouped = judged[judged["doc_id"].isin(position)].assign(group=lambda rows: rows["doc_id"].map(position))
    rows = []
    for judge, own in grouped.groupby("assessor"):
        cells = [cell["relevance"].tolist() for _, cell in own.groupby(["query_id", "group"]) if len(cell) > 1]
        pairs = [pair for grades in cells for pair in combinations(grades, 2)]
        grade = sum(a == b for a, b in pairs) / len(pairs)
        relevance = sum((a >= RELEVANT) == (b >= RELEVANT) for a, b in pairs) / len(pairs)
        bad = int(inconsistent.get(judge, 0))
        rows.append((judge, len(cells), bad, f"{bad / len(cells):.1%}", len(pairs), f"{grade:.1%}", f"{relevance:.1%}"))
    columns = ["judge", "groups", "inconsistent", "share", "pairs", "same grade", "same relevance"]
    return pd.DataFrame(rows, columns=columns)


def listing(found: NearDuplicates, judged: pd.DataFrame, threshold: float) -> pd.DataFrame:
    """Return every group with different grades for a topic, and the judges who contradict themselves."""
    table = inconsistent_groups(found.groups(threshold), judged)
    own = table[table["judge"] != ""].groupby(["query_id", "group"])["judge"].agg(", ".join).to_dict()
    rows = [
        (row.query_id, _grades(row), own.get((row.query_id, row.group), "–"))
        for row in table[table["judge"] == ""].itertuples()
    ]
    return pd.DataFrame(rows, columns=["topic", "passage: grades (judge)", "contradict themselves"])


def _grades(row) -> str:
    by_passage: dict[str, list[str]] = {}
    for doc_id, judge, grade in zip(row.doc_ids, row.judges, row.grades, strict=True):
        by_passage.setdefault(doc_id, []).append(f"{grade} ({judge.removeprefix('judge')})")
    return "; ".join(f"{doc_id}: {', '.join(grades)}" for doc_id, grades in by_passage.items())


def overall(found: NearDuplicates, judged: pd.DataFrame) -> pd.DataFrame:
    """Return the inconsistent groups of the eight judges at each threshold."""
    rows = []
    for threshold in THRESHOLDS:
        table = inconsistent_groups(found.groups(threshold), judged)
        by_judge = table[table["judge"] != ""]
        groups = len(by_judge[["query_id", "group"]].drop_duplicates())
        rows.append((threshold, int((table["judge"] == "").sum()), groups, len(by_judge)))
    return pd.DataFrame(rows, columns=["threshold", "inconsistent groups", "of these, by one judge", "judges in these"])


def main() -> None:
    found = near_duplicates(passages(), THRESHOLDS[0])
    eight, nist = judgements(JUDGES), judgements(("nist",))
    tables = {
        "sizes": _table(sizes(found)),
        "judges": _table(consistency(found, pd.concat([eight, nist]), LISTED)),
        "identical": _table(consistency(found, pd.concat([eight, nist]), 1.0)),
        "overall": _table(overall(found, eight)),
        "list": _table(listing(found, eight, LISTED)),
    }
    page = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda m, new=table: f"{m[1]}\n{new}\n\n{m[2]}", page, flags=re.S
        )
    PAGE.write_text(page, encoding="utf-8")


def _table(frame: pd.DataFrame) -> str:
    return render(rounded(frame), "markdown")


if __name__ == "__main__":
    main()
