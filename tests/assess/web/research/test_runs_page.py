"""The page of the runs with their groups, and the groups on the page of the ranking shift."""

import csv
import io
import re

import pytest

import agreement
from assess.collections import runfiles
from assess.collections.archive import archive_collection
from assess.collections.run_groups import group_runs, groups_by_system
from assess.models import Role
from assess.transfer.runs import import_runs
from tests.assess.command_output import output_of, refusal
from tests.assess.web.research.analysis.pages import judge, read
from tests.factories import write_runs
from tests.html import compact

URL = "/c/small/runs/"
JUDGED = [("1", "a"), ("1", "b"), ("1", "d"), ("1", "e"), ("2", "x"), ("2", "y"), ("2", "z")]


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


@pytest.fixture
def judged(collection):
    judge(collection, "first", dict(zip(JUDGED, (1, 1, 1, 0, 0, 0, 0), strict=True)))
    judge(collection, "second", dict(zip(JUDGED, (1, 0, 0, 1, 1, 0, 0), strict=True)))
    return collection


def text(response) -> str:
    return compact(response.content.decode())


def groups_on(page: str) -> dict[str, str]:
    return dict(re.findall(r'<th scope="row" data-value="(\w+)">.*?</th>\s*<td>(.*?)</td>', page, re.S))


def table_of(http, collection, **query) -> list[dict[str, str]]:
    content = read(http, "shift_table", collection, "groups", "csv", measure="AP(rel=1)", **query)
    return list(csv.DictReader(io.StringIO(content)))


def test_checked_runs_change_their_group(owner, collection):
    assert groups_on(text(owner.get(URL))) == {"alpha": "–", "beta": "–", "gamma": "–"}
    page = text(owner.post(f"{URL}group/", {"name": "dense", "system": ["alpha", "beta"]}, follow=True))
    assert "2 runs now belong to the group dense." in page
    assert groups_on(page) == {"alpha": "dense", "beta": "dense", "gamma": "–"}
    assert "<option>dense</option>" in page
    page = text(owner.post(f"{URL}group/", {"name": "dense", "system": ["beta", "gamma"]}, follow=True))
    assert "1 run now belongs to the group dense. 1 did already." in page
    page = text(owner.post(f"{URL}group/", {"name": "", "system": ["alpha", "beta", "gamma"]}, follow=True))
    assert "3 runs now belong to no group." in page
    assert groups_by_system(collection) == {}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": "dense"}, "Choose at least one run."),
        ({"name": "dense", "system": ["alpha", "nine"]}, "There is no run &#x27;nine&#x27; in small;"),
        ({"name": "beta", "system": ["alpha"]}, "The run &#x27;beta&#x27; is not in the group"),
        ({"name": "two words", "system": ["alpha"]}, "contains white space"),
    ],
)
def test_refusals_keep_what_was_typed(owner, collection, values, sentence):
    response = owner.post(f"{URL}group/", values)
    assert response.status_code == 400
    page = text(response)
    assert sentence in page
    assert f'value="{values["name"]}"' in page
    assert ('value="alpha" checked' in page) == ("alpha" in values.get("system", ()))
    assert groups_by_system(collection) == {}


def test_runs_are_a_file(owner, collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, {"=sum": {"1": ["a"]}}))
    group_runs(collection, ["beta"], "dense")
    rows = list(csv.reader(io.StringIO(owner.get("/c/small/runs.csv").content.decode())))
    assert rows[0] == ["system", "group", "lines", "topics", "score_precision", "is_baseline"]
    assert ["'=sum", "", "1", "1", "float64", "False"] in rows
    assert ["beta", "dense", "5", "2", "float64", "False"] in rows


def test_archived_collection_has_no_form(owner, collection):
    archive_collection(collection)
    assert 'name="system"' not in text(owner.get(URL))
    assert owner.post(f"{URL}group/", {"name": "dense", "system": "alpha"}).status_code == 400


@pytest.mark.slow
def test_pages_need_as_many_queries_with_more_runs(owner, judged, tmp_path, django_assert_max_num_queries):
    group_runs(judged, ["alpha", "beta"], "dense")
    for url, most in ((URL, 6), ("/c/small/shift/", 18)):
        owner.get(url)
        with django_assert_max_num_queries(most):
            owner.get(url)
    import_runs(judged, write_runs(tmp_path, {f"seed{n}": {"1": ["a", "b"], "2": ["x"]} for n in range(9)}))
    group_runs(judged, [f"seed{n}" for n in range(9)], "sparse")
    for url, most in ((URL, 6), ("/c/small/shift/", 18)):
        owner.get(url)
        with django_assert_max_num_queries(most):
            owner.get(url)


@pytest.mark.slow
def test_shift_shows_mean_spread_and_rank_of_each_group(owner, judged):
    assert "Repeated runs of one system" not in read(owner, "shift", judged)
    group_runs(judged, ["alpha", "beta"], "dense")
    html = read(owner, "shift", judged, measure="AP(rel=1)", reference="judge:first")
    assert "Repeated runs of one system" in html
    runs = [runfiles.load(run) for run in judged.runs.all()]
    rows = table_of(owner, judged, reference="judge:first", golds=["judge:first", "judge:second"])
    assert [row["gold"] for row in rows] == ["judge:first"] * 2 + ["judge:second"] * 2
    for name, grades in (("first", (1, 1, 1, 0, 0, 0, 0)), ("second", (1, 0, 0, 1, 1, 0, 0))):
        gold = [(*pair, grade) for pair, grade in zip(JUDGED, grades, strict=True)]
        means = agreement.score_table(runs, _frame(gold), "AP(rel=1)").mean(axis=1)
        of_gold = {row["group"]: row for row in rows if row["gold"] == f"judge:{name}"}
        dense = means[["alpha", "beta"]]
        assert float(of_gold["dense"]["mean"]) == pytest.approx(dense.mean())
        assert float(of_gold["dense"]["sd"]) == pytest.approx(dense.std())
        assert of_gold["gamma"]["reason"] == "one_run"
        is_first = dense.mean() > means["gamma"]
        assert (of_gold["dense"]["rank"], of_gold["gamma"]["rank"]) == (("1", "2") if is_first else ("2", "1"))
    assert "undefined (one run)" in html


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shift_golds", "shift_mixed", "shift_intervals", "shift_swaps", "shift_measures"])
def test_other_shift_pages_say_that_runs_are_ranked_singly(owner, judged, name):
    sentence = "2 runs belong to groups. On this page, each run is a system of its own"
    query = {"reference": "judge:first", "against": "judge:second"}
    assert "to groups. On this page" not in read(owner, name, judged, **query)
    group_runs(judged, ["alpha", "beta"], "dense")
    html = read(owner, name, judged, **query)
    assert sentence in html
    assert "against=judge%3Asecond#groups" in html
    assert sentence not in read(owner, "shift", judged, **query)
    assert "to groups. On this page" not in read(owner, name, judged, without_system=["alpha", "beta"], **query)


def test_command_writes_the_groups_as_csv(judged):
    command = ["ranking_shift", "--collection", "small", "--gold", "judge:first", "--groups"]
    assert refusal(*command) == "--groups needs --csv; without --csv, the groups follow the ranks."
    assert refusal(*command, "--csv") == f"No run of {judged} belongs to a group; group_runs groups them."
    group_runs(judged, ["alpha", "beta"], "dense")
    header, *lines = output_of(*command, "--csv")
    assert header == "gold,n_topics,group,n_runs,mean,sd,lowest,highest,rank,reason"
    assert {line.split(",")[2] for line in lines} == {"dense", "gamma"}


def _frame(rows):
    import pandas as pd

    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


@pytest.mark.slow
def test_groups_follow_their_changes_and_leave_out_systems(owner, judged):
    group_runs(judged, ["alpha", "beta", "gamma"], "dense")
    assert {row["n_runs"] for row in table_of(owner, judged)} == {"3"}
    assert {row["n_runs"] for row in table_of(owner, judged, without_system="beta")} == {"2"}
    group_runs(judged, ["gamma"], "")
    assert {row["group"]: row["n_runs"] for row in table_of(owner, judged)} == {"dense": "2", "gamma": "1"}


@pytest.mark.slow
def test_a_run_may_be_imported_with_the_name_of_a_group(owner, judged, tmp_path):
    group_runs(judged, ["alpha", "beta"], "dense")
    import_runs(judged, write_runs(tmp_path, {"dense": {"1": ["a", "b"], "2": ["x"]}}))
    names = {row["group"]: row["n_runs"] for row in table_of(owner, judged)}
    assert names == {"dense (group)": "2", "dense": "1", "gamma": "1"}


def test_command_prints_the_groups(judged):
    command = "ranking_shift", "--collection", "small", "--gold", "judge:first"
    assert "Mean and spread over the runs of each system" not in output_of(*command)
    group_runs(judged, ["alpha", "beta"], "dense")
    lines = output_of(*command)
    assert "Mean and spread over the runs of each system" in lines
    row = next(line.split() for line in lines if line.startswith("judge:first") and "dense" in line)
    assert row[:4] == ["judge:first", "2", "dense", "2"]
