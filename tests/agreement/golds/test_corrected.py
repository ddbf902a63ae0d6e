"""The rule corrected:NAME: by hand, a regression, real grades, properties, and degenerate input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import make_gold
from agreement.golds.corrected import expected_grades
from agreement.golds.people import derived_gold
from agreement.trust.model_files import read_model_grades
from pooling import write_qrels
from pooling.trec import read_qrels
from tests.realdata import real_data

COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]
ROWS = [
    *(("ada", "1", doc_id, grade) for doc_id, grade in zip("abc", (3, 1, 0), strict=True)),
    ("bob", "1", "a", 2),
    *(("llm", "1", doc_id, grade) for doc_id, grade in zip("abcde", (1, 1, 0, 1, 0), strict=True)),
]
JUDGEMENTS = pd.DataFrame(ROWS, columns=COLUMNS)


def gold_of(rule: str = "corrected:llm", judgements: pd.DataFrame = JUDGEMENTS, **options) -> dict[str, float]:
    gold = make_gold(judgements, rule, **options)
    return dict(zip(gold["doc_id"], gold["relevance"].tolist(), strict=True))


def test_by_hand():
    # People: a 2.5, b 1, c 0; mean 3.5 / 3. The model's 1 has a and b, its 0 has c.
    mean = 3.5 / 3
    assert gold_of() == pytest.approx({"a": 2.5, "b": 1, "c": 0, "d": (3.5 + mean) / 3, "e": (0 + mean) / 2})


def test_relevance_is_expected_at_rel():
    # At rel 1, people find a and b relevant, c not; mean 2/3. d: (2 + 2/3) / 3 > 1/2, e: (0 + 2/3) / 2 < 1/2.
    assert gold_of(rel=1) == {"a": 1, "b": 1, "c": 0, "d": 1, "e": 0}


def test_a_gold_states_its_rule_and_needs_a_rounding():
    gold = make_gold(JUDGEMENTS, "corrected:llm")
    assert gold["gold"].unique().tolist() == ["corrected:llm"]
    assert gold.attrs["reason"] is None
    with pytest.raises(ValueError, match="rounding"):
        write_qrels(gold, "/dev/null")


def test_qrels_are_written_with_a_rounding(tmp_path):
    write_qrels(make_gold(JUDGEMENTS, "corrected:llm"), tmp_path / "gold.qrels", rounding="half_up")
    assert read_qrels(tmp_path / "gold.qrels")["relevance"].tolist() == [3, 1, 0, 2, 1]


def test_a_model_that_says_nothing_gives_the_mean():
    constant = JUDGEMENTS.assign(relevance=JUDGEMENTS["relevance"].where(JUDGEMENTS["assessor"] != "llm", 1))
    found = gold_of(judgements=constant)
    assert found["d"] == found["e"] == pytest.approx(3.5 / 3)


def test_without_a_common_document_only_people_are_in_the_gold():
    apart = JUDGEMENTS[~((JUDGEMENTS["assessor"] == "llm") & JUDGEMENTS["doc_id"].isin(list("abc")))]
    gold = make_gold(apart, "corrected:llm")
    assert gold["doc_id"].tolist() == ["a", "b", "c"]
    assert gold.attrs["reason"] == "no document judged by people and the model"


def test_one_judge_has_an_empty_gold():
    assert gold_of(judgements=JUDGEMENTS[JUDGEMENTS["assessor"] == "llm"]) == {}


def test_unknown_judge_is_refused():
    with pytest.raises(ValueError, match=r"There is no judge 'gpt'\. The judges are ada, bob, llm"):
        gold_of("corrected:gpt")


def test_other_models_are_left_out_if_the_kinds_are_known():
    other = pd.concat([JUDGEMENTS, JUDGEMENTS[JUDGEMENTS["assessor"] == "llm"].assign(assessor="gpt", relevance=3)])
    kinds = {"ada": "human", "bob": "human", "llm": "model", "gpt": "model"}
    gold = derived_gold(other, "corrected:llm", kinds)
    assert dict(zip(gold["doc_id"], gold["relevance"].tolist(), strict=True)) == pytest.approx(gold_of())


@given(
    model=st.lists(st.integers(0, 3), min_size=2, max_size=40),
    seed=st.integers(0, 99),
)
def test_expected_grades_are_in_the_range_of_people_and_keep_their_mean(model, seed):
    people = np.random.default_rng(seed).integers(0, 4, len(model)).astype(float)
    expected = expected_grades(np.array(model, float), people)
    assert people.min() - 1e-9 <= expected.min()
    assert expected.max() <= people.max() + 1e-9
    for grade in set(model):
        assert len(set(expected[np.array(model) == grade].round(12))) == 1


def test_many_documents_have_the_means_of_a_regression_on_grades():
    """With thousands of documents, the prior of one does not matter: the fit on dummies of the model's grade."""
    rng = np.random.default_rng(1)
    model = rng.integers(0, 4, 20_000).astype(float)
    people = np.clip(model - 1 + rng.integers(0, 3, 20_000), 0, 3).astype(float)
    dummies = (model[:, None] == np.arange(4)).astype(float)
    fitted = dummies @ np.linalg.lstsq(dummies, people)[0]
    assert np.abs(expected_grades(model, people) - fitted).max() < 1e-3


def test_dl19_is_nearer_to_nist_than_the_model_where_people_did_not_judge():
    """NIST's grades of every second document, GPT-4o elsewhere: the corrected grade has the smaller squared error."""
    nist = read_qrels(real_data("dl19", "judges", "nist.qrels"))
    model = read_model_grades({"llm": real_data("dl19", "model_judges", "gpt-4o.umbrela.txt")}).golds["llm"]
    known = nist.iloc[::2]
    judgements = pd.concat([known.assign(assessor="nist"), model.assign(assessor="llm")])[COLUMNS]
    gold = make_gold(judgements, "corrected:llm").merge(nist, on=["query_id", "doc_id"], suffixes=("", "_nist"))
    both = gold.merge(model, on=["query_id", "doc_id"], suffixes=("", "_llm"))
    hidden = both.merge(nist.iloc[1::2][["query_id", "doc_id"]])
    errors = [((hidden[column] - hidden["relevance_nist"]) ** 2).mean() for column in ("relevance", "relevance_llm")]
    assert errors[0] < 0.9 * errors[1]
