"""Means over topics, and all coefficients of all judges."""

from statistics import fmean

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import (
    Ratings,
    all_judges,
    bias_index,
    over_topics,
    overlap,
    percent_agreement,
    positive_agreement,
)
from pooling.trec import read_qrels
from tests.realdata import real_data


def topics(**judged):
    """Ratings of topics a, b, ...: a string of grades for each judge, "." for "not judged"."""
    rows = []
    for topic, judges in judged.items():
        for name, grades in zip(("ann", "bob", "eve"), judges, strict=False):
            rows += [(name, topic, f"{n}", -1 if grade == "." else int(grade)) for n, grade in enumerate(grades)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    return Ratings.from_judgements(frame, (0, 1))


def test_by_hand():
    # a: both of one, one of three; b: nothing relevant; c: bob judged nothing
    ratings = topics(a=("1100", "1010"), b=("00", "00"), c=("11", ".."))

    result = over_topics(overlap, ratings)

    assert (result.value, result.n, result.n_dropped, result.n_averaged) == (1 / 3, 4, 4, 1)
    assert result.skipped == (("b", "no_relevant"),)
    assert (result.topics, result.assessors, result.observed) == (("a",), ("ann", "bob"), None)
    assert str(result).endswith(
        "relevant from grade 1, mean over topics, mean of 1 topic, 1 topic left out: nothing relevant"
    )


def test_all_judges_of_a_topic_are_compared():
    ratings = topics(a=("110", "100", "111"), b=("10", "10", ".."), c=("1", ".", "."))

    result = over_topics(overlap, ratings)

    # a: one of three; b: ann and bob alone, one of one; c: only ann
    assert (result.value, result.n_averaged) == (2 / 3, 2)
    assert over_topics(overlap, ratings, "ann", "eve").value == 2 / 3


@pytest.mark.parametrize(("rows", "reason"), [([], "empty"), ([[0, 1]], "one_assessor"), ([[None], [1]], "no_overlap")])
def test_reasons_without_topics(rows, reason):
    assert over_topics(positive_agreement, Ratings.from_matrix(rows, (0, 1), axis="assessors")).reason == reason


def test_the_mean_of_undefined_topics_is_undefined():
    result = over_topics(overlap, topics(a=("00", "00"), b=("0", "0")))

    assert (result.value, result.reason, result.n_averaged) == (None, "no_relevant", 0)


@given(st.lists(st.lists(st.tuples(*[st.integers(0, 1)] * 2), min_size=1, max_size=4), min_size=1, max_size=4))
def test_the_mean_is_that_of_the_single_topics(judged):
    ratings = topics(
        **{f"t{n}": ["".join(map(str, grades)) for grades in zip(*t, strict=True)] for n, t in enumerate(judged)}
    )

    for view in (overlap, positive_agreement, bias_index):
        values = [view(part).value for part in ratings.by_topic().values()]
        defined = [value for value in values if value is not None]
        result = over_topics(view, ratings)
        assert result.value == (pytest.approx(fmean(defined)) if defined else None)
        assert result.n_averaged == len(defined)


def test_all_coefficients_of_all_judges():
    ratings = Ratings(np.random.default_rng(1).integers(-1, 3, (4, 60)), (0, 1, 2))

    names = [result.coefficient for result in all_judges(ratings)]

    assert names == ["percent_agreement", "fleiss_kappa", "conger_kappa", "gwet_ac", *["krippendorff_alpha"] * 2]
    assert len(all_judges(ratings.binary(1))) == 5
    assert all(result.low < result.value < result.high for result in all_judges(ratings, "bootstrap", seed=1))
    assert {result.reason for result in all_judges(Ratings.from_matrix([[0]], (0, 1), axis="assessors"))} == {
        "one_assessor"
    }


@pytest.mark.slow
def test_overlap_of_the_judges_of_dl19():
    """The overlap of two people is far lower than their percent agreement suggests (Voorhees 2000)."""
    judges = ["judge5", "judge6"]
    frames = [read_qrels(real_data("dl19", "judges", f"{judge}.qrels")).assign(assessor=judge) for judge in judges]
    ratings = Ratings.from_judgements(pd.concat(frames), (0, 1, 2, 3))

    result = over_topics(overlap, ratings, rel=2)

    assert (overlap(ratings, rel=2).n, result.n_averaged) == (1131, 8)
    assert result.value < 0.6 < percent_agreement(ratings.binary(2)).value
    assert overlap(ratings, rel=2).value == 101 / (181 + 152 - 101)
