"""The judges of DL 2019 on near-duplicates, counted without pandas, and the page that lists them."""

import gzip
import json
from pathlib import Path

import pandas as pd
import pytest

from pooling import inconsistent_groups, near_duplicates, read_qrels
from tests.realdata import real_data
from tests.slow_cases import slow_cases

PAGE = Path(__file__).resolve().parents[3] / "docs" / "studies" / "near-duplicates-dl19.md"
JUDGES = (*(f"judge{number}" for number in range(1, 9)), "nist")


@pytest.fixture(scope="module")
def groups():
    with gzip.open(real_data("dl19", "documents.jsonl.gz"), "rt", encoding="utf-8") as lines:
        texts = {row["doc_id"]: row["text"] for row in map(json.loads, lines)}
    return near_duplicates(texts, 0.8).groups()


def counted(name: str, groups) -> tuple[int, int]:
    """The groups with two judged passages of a topic or more, and those with different grades."""
    position = {doc_id: at for at, group in enumerate(groups) for doc_id in group}
    grades: dict[tuple[str, int], list[str]] = {}
    for line in real_data("dl19", "judges", f"{name}.qrels").read_text(encoding="utf-8").splitlines():
        query_id, _, doc_id, grade = line.split()
        if doc_id in position:
            grades.setdefault((query_id, position[doc_id]), []).append(grade)
    several = [each for each in grades.values() if len(each) > 1]
    return len(several), sum(len(set(each)) > 1 for each in several)


@pytest.mark.in_ci
@pytest.mark.parametrize("name", [*JUDGES[:2], *slow_cases(JUDGES[2:])])
def test_inconsistent_groups_of_each_judge(groups, name):
    judged = read_qrels(real_data("dl19", "judges", f"{name}.qrels")).assign(assessor=name)
    number, inconsistent = counted(name, groups)
    assert (inconsistent_groups(groups, judged)["judge"] == name).sum() == inconsistent
    row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {name} "))
    assert [int(cell) for cell in row.split("|")[2:4]] == [number, inconsistent]


@pytest.mark.slow
def test_page_lists_every_inconsistent_group_of_the_eight_judges(groups):
    paths = {name: real_data("dl19", "judges", f"{name}.qrels") for name in JUDGES if name != "nist"}
    frames = [read_qrels(path).assign(assessor=name) for name, path in paths.items()]
    table = inconsistent_groups(groups, pd.concat(frames))
    listed = PAGE.read_text(encoding="utf-8").partition("<!-- list -->")[2]
    for row in table[table["judge"] == ""].itertuples():
        assert f"| {row.query_id} | {row.doc_ids[0]}: " in " ".join(listed.split())
    assert listed.count("\n| ") - 2 == (table["judge"] == "").sum()
