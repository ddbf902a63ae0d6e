"""Topics and documents of golds that match nothing in the runs are named, not counted, and repaired on request."""

import pandas as pd
import pytest

from agreement import prepare, ranking_shift
from pooling import read_qrels, read_run
from tests.realdata import PROJECT

CASES = PROJECT / "tests" / "data" / "cases"
SENTENCE = (
    "10 of 25 topics of bob match nothing in the runs: '90' may be '090' (leading zeros); the option repair-ids with "
    "leading-zeros reads 10 so. They have 300 of 750 judgements. The headline does not count them."
)


@pytest.fixture(scope="module")
def runs():
    return pd.concat([read_run(CASES / f"zeros_{name}.run") for name in ("alpha", "beta", "gamma")])


@pytest.fixture(scope="module")
def ada():
    return read_qrels(CASES / "zeros_ada.qrels")


@pytest.fixture(scope="module")
def bob():
    return read_qrels(CASES / "zeros_bob_spreadsheet.qrels")


def in_form(runs, form):
    frames = (frame for _, frame in runs.groupby("system"))
    return {"frame": runs, "frames": frames, "prepared": prepare(runs)}[form]


@pytest.mark.parametrize("form", ["frame", "frames", "prepared"])
def test_the_headline_counts_what_matches_and_says_what_does_not(runs, bob, form):
    shift = ranking_shift(in_form(runs, form), {"bob": bob, "again": bob, "third": bob}, "AP")
    assert "(tau_b 1.000, 15 topics, " in shift.headline()
    assert SENTENCE in shift.headline()
    assert SENTENCE.replace("bob", "again") in shift.headline()
    assert shift.headline().endswith(" 1 other gold has such ids as well.")


@pytest.mark.parametrize("form", ["frame", "frames", "prepared"])
def test_a_repair_is_applied_and_recorded(runs, ada, bob, form):
    shift = ranking_shift(in_form(runs, form), {"bob": bob, "ada": ada}, "AP", repair_ids="leading-zeros")
    assert "(tau_b -1.000, 25 topics, " in shift.headline()
    assert "match nothing" not in shift.headline()
    match = shift.matches["bob"]
    assert (match.repair, len(match.repaired["query_id"]), match.repaired["doc_id"]) == ("leading-zeros", 10, {})
    topics = shift.tables()["ids"].query("ids == 'topic'")
    assert topics[["gold", "n", "unmatched", "repaired"]].to_numpy().tolist() == [["bob", 25, 0, 10]]


def test_a_topic_that_only_one_gold_lacks_is_no_mismatch(runs, ada):
    shift = ranking_shift(runs, {"ada": ada, "fewer": ada[ada["query_id"] > "099"]}, "AP")
    assert "match nothing" not in shift.headline()
    assert "ids" not in shift.tables()


def test_up_to_2_percent_are_not_reported(runs, ada):
    ends = ("", "a", "b", "c")
    other = pd.DataFrame({"query_id": ["x"], "doc_id": ["d"], "relevance": [1]})
    gold = pd.concat([*(ada.assign(query_id=ada["query_id"] + end) for end in ends), other])
    whole = pd.concat([runs.assign(query_id=runs["query_id"] + end) for end in ends])
    shift = ranking_shift(whole, {"bob": gold, "again": gold}, "AP")
    assert "match nothing" not in shift.headline()
    assert "100 topics" in shift.headline()
    assert shift.tables()["ids"]["unmatched"].tolist() == [1, 1]


def test_golds_without_any_common_topic_are_refused_with_the_repair(runs, bob):
    low = bob[bob["query_id"].str.len() == 2]
    with pytest.raises(ValueError, match=r"no topic in common: .* '90' may be '090' .leading zeros.; the option"):
        ranking_shift(runs, {"bob": low}, "AP")
    assert "090" in ranking_shift(runs, {"bob": low}, "AP", repair_ids="leading-zeros").scores["bob"].columns


def test_documents_of_which_none_matches_are_reported_and_repaired(runs, ada):
    golds = {"ada": ada, "bob": ada.assign(doc_id="doc_" + ada["doc_id"])}
    headline = ranking_shift(runs, golds, "AP").headline()
    assert "documents of bob match nothing in the runs: 'doc_D0000' may be 'D0000' (prefix)" in headline
    assert ranking_shift(runs, golds, "AP", repair_ids="prefix").headline().startswith("No. Under bob")


def test_evidence_is_repaired_like_its_gold(runs, ada, bob):
    golds = {"bob": bob, "ada": ada}
    shift = ranking_shift(runs, golds, "AP", evidence={"bob": bob}, repair_ids="leading-zeros")
    assert shift.basis["n_topics"].tolist() == [25]


def test_an_unknown_repair_is_refused(runs, ada):
    with pytest.raises(ValueError, match=r"repair_ids must be one of leading-zeros, decimals, .*, not 'zeros'"):
        ranking_shift(runs, {"ada": ada}, "AP", repair_ids="zeros")


def test_a_restricted_shift_keeps_the_matches_of_its_golds(runs, ada, bob):
    shift = ranking_shift(runs, {"ada": ada, "bob": bob, "other": ada}, "AP")
    assert list(shift.only("other").matches) == ["ada", "other"]
    assert "match nothing" not in shift.only("other").headline()
