"""Generalisability and decision studies: by hand, published, another implementation, properties, degenerate cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, generalisability, icc

# Six targets and four judges: Shrout and Fleiss (1979), table 2.
SHROUT_FLEISS = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
matrices = st.tuples(st.integers(2, 4), st.integers(2, 8)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def of_judges(rows, scale=range(5), topics=None):
    codes = [[-1 if grade is None else list(scale).index(grade) for grade in row] for row in rows]
    return Ratings(codes, tuple(scale), query_ids=topics, doc_ids=topics and [str(n) for n in range(len(topics))])


def random_nested(n=200):
    """Rows of grades with an effect of the topic, the document and the judge, and the topic of each document."""
    rng = np.random.default_rng(72)
    for _ in range(n):
        k, sizes = int(rng.integers(2, 5)), rng.integers(1, 5, size=rng.integers(2, 6))
        sizes[0] += 1
        topic = np.repeat(np.arange(len(sizes)), sizes)
        level = rng.integers(0, 4, size=len(sizes))[topic] + rng.integers(0, 3, size=len(topic))
        yield level + rng.integers(0, 3, size=(k, 1)) + rng.integers(0, 2, size=(k, len(topic))), topic


def indicators(labels):
    return (np.asarray(labels)[:, None] == np.unique(labels)).astype(float)


def other_components(rows, topic):
    """Components from projections: each mean square is equated with its expectation, the traces of Q Z Z'."""
    k, n = rows.shape
    judge, document = np.repeat(np.arange(k), n), np.tile(np.arange(n), k)
    topics = topic[document]
    sources = {} if len(np.unique(topic)) == 1 else {"topics": topics, "topics x judges": topics * k + judge}
    sources |= {"documents": document, "judges": judge}
    effects = {name: indicators(labels) for name, labels in sources.items()} | {"residual": np.eye(k * n)}
    grand = np.full((k * n, k * n), 1 / (k * n))
    onto = {name: effect @ np.linalg.pinv(effect) for name, effect in effects.items()}
    if "topics" in onto:
        both = onto["topics x judges"]
        parts = {
            "topics": onto["topics"] - grand,
            "documents": onto["documents"] - onto["topics"],
            "judges": onto["judges"] - grand,
            "topics x judges": both - onto["topics"] - onto["judges"] + grand,
            "residual": np.eye(k * n) - onto["documents"] - both + onto["topics"],
        }
    else:
        parts = {"documents": onto["documents"] - grand, "judges": onto["judges"] - grand}
        parts["residual"] = np.eye(k * n) - onto["documents"] - onto["judges"] + grand
    y = rows.ravel().astype(float)
    squares = [y @ part @ y for part in parts.values()]
    expected = [[np.trace(part @ effects[name] @ effects[name].T) for name in parts] for part in parts.values()]
    return dict(zip(parts, np.linalg.solve(expected, squares), strict=True))


def test_crossed_by_hand():
    # 2 (9/4 + 1/4 + 4) = 13 between documents, 2/3 between judges, 1/3 left: mean squares 13/2, 2/3, 1/6
    study = generalisability(of_judges([[0, 1, 4], [1, 2, 4]]))
    assert study.mean_squares == pytest.approx({"documents": 13 / 2, "judges": 2 / 3, "residual": 1 / 6})
    assert study.components == pytest.approx({"documents": 19 / 6, "judges": 1 / 6, "residual": 1 / 6})
    assert study.generalisability == pytest.approx((19 / 6) / (19 / 6 + 1 / 12))
    assert study.dependability == pytest.approx((19 / 6) / (19 / 6 + 1 / 6))


def test_nested_by_hand():
    # Topic a has the documents 0 0 / 2 4 of two judges, topic b 1 1 / 3 3: the means of documents are 0, 3, 1, 3,
    # of topics 3/2 and 2, of judges 3/2 and 2, of judges in topics 1, 2, 2, 2.
    study = generalisability(of_judges([[0, 2, 1, 3], [0, 4, 1, 3]], topics=["a", "a", "b", "b"]), "nested")
    # 4 (1/16 + 1/16) = 1/2; 2 (9/4 + 9/4 + 1 + 1) = 13; 4 (1/16 + 1/16) = 1/2; 2 * 4 / 16 = 1/2; 1/4 * 4 = 1
    assert study.df == {"topics": 1, "documents": 2, "judges": 1, "topics x judges": 1, "residual": 2}
    assert study.mean_squares == pytest.approx(
        {"topics": 1 / 2, "documents": 13 / 2, "judges": 1 / 2, "topics x judges": 1 / 2, "residual": 1 / 2}
    )
    expected = {"topics": 0, "documents": 3, "judges": 0, "topics x judges": 0, "residual": 1 / 2}
    assert study.components == pytest.approx(expected)
    assert study.below_zero == ("topics",)


def test_published_coefficients():
    # Shrout and Fleiss (1979), table 4: ICC(3,4) = 0.91 is generalisability, ICC(2,4) = 0.62 dependability
    study = generalisability(of_judges(SHROUT_FLEISS, range(1, 11)))
    assert (round(study.generalisability, 2), round(study.dependability, 2)) == (0.91, 0.62)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["crossed", "nested"])
def test_components_equal_those_of_another_implementation(design):
    for rows, topic in random_nested():
        names = [f"t{number}" for number in topic]
        study = generalisability(of_judges(rows.tolist(), range(12), names), design)
        other = other_components(rows, topic if design == "nested" else np.zeros_like(topic))
        positive = {name: max(value, 0) for name, value in other.items()}
        assert study.components == pytest.approx(positive, rel=1e-9, abs=1e-9)
        assert set(study.below_zero) <= {name for name, value in other.items() if value < 1e-9}


@given(matrices)
def test_coefficients_are_intraclass_correlations(rows):
    study = generalisability(of_judges(rows))
    if study.defined and not study.below_zero:
        for mine, kind in ((study.generalisability, "ICC(3,k)"), (study.dependability, "ICC(2,k)")):
            other = icc(of_judges(rows), kind)
            assert mine == pytest.approx(other.value, abs=1e-9) if other.defined else mine in (None, 0)


@given(matrices, st.sampled_from(["crossed", "nested"]))
def test_decision_study_rises_with_judges_and_dependability_is_the_lower(rows, design):
    topics = [str(item % 2) for item in range(len(rows[0]))]
    study = generalisability(of_judges(rows, topics=topics), design)
    if study.defined and study.components["documents"]:
        frame = study.decision_study(6).astype(float)
        assert frame["n_judges"].tolist() == [1, 2, 3, 4, 5, 6]
        for name in ("generalisability", "dependability"):
            assert frame[name].is_monotonic_increasing
            assert frame[name].between(0, 1).all()
        assert (frame["dependability"] <= frame["generalisability"] + 1e-12).all()


@given(matrices, st.floats(0.05, 0.99), st.sampled_from(["generalisability", "dependability"]))
def test_judges_needed_is_the_first_row_that_reaches_the_target(rows, target, coefficient):
    study = generalisability(of_judges(rows))
    needed = study.judges_needed(target, coefficient)
    if needed is None:
        assert not study.defined or not study.components["documents"]
    elif needed < 500:
        reached = study.decision_study(needed)[coefficient] >= target - 1e-12
        assert reached.iloc[-1]
        assert not (study.decision_study(needed)[coefficient].iloc[:-1] >= target).any()


@given(matrices)
def test_the_order_of_judges_does_not_matter(rows):
    assert generalisability(of_judges(rows)).components == generalisability(of_judges(rows[::-1])).components


def test_documents_that_not_all_judged_are_left_out_and_counted():
    full = generalisability(of_judges([[0, 1, 4], [1, 2, 4]]))
    study = generalisability(of_judges([[0, 1, 4, 3, None], [1, 2, 4, None, None]]))
    assert study.components == full.components
    assert (study.n, study.n_dropped, study.n_judges) == (3, 1, 2)
    assert "3 documents that all 2 judges judged, 1 left out" in repr(study)


def test_a_topic_without_complete_documents_does_not_count():
    rows = [[0, 2, 1, 3, 4], [0, 4, 1, 3, None]]
    study = generalisability(of_judges(rows, topics=["a", "a", "b", "b", "c"]), "nested")
    assert (study.n_topics, study.df["topics"]) == (2, 1)
    shifted = generalisability(of_judges([row[::-1] for row in rows], topics=["A", "b", "b", "c", "c"]), "nested")
    assert shifted.components == study.components


@pytest.mark.parametrize(
    ("rows", "topics", "design", "reason"),
    [
        ([[1, 2, 3]], None, "crossed", "one_assessor"),
        ([[None, None]], None, "crossed", "empty"),
        ([[1, None], [None, 1]], None, "crossed", "no_overlap"),
        ([[1, 2], [1, None]], None, "nested", "one_item"),
        ([[2, 2, 2], [2, 2, 2]], None, "crossed", "no_variance"),
        ([[1, 2], [1, 2]], ["a", "a"], "nested", "one_topic"),
        ([[1, 2], [1, 2]], ["a", "b"], "nested", "no_second_document"),
    ],
)
def test_undefined(rows, topics, design, reason):
    study = generalisability(of_judges(rows, topics=topics), design)
    assert (study.status, study.reason, study.generalisability, study.dependability) == (
        "undefined",
        reason,
        None,
        None,
    )
    assert (len(study.to_frame()), len(study.decision_study()), study.judges_needed(0.8)) == (0, 0, None)
    assert repr(study).startswith("Generalisability: undefined (")


def test_anonymous_counts_have_no_judges():
    assert generalisability(Ratings.from_counts([[1, 1], [0, 2]], (0, 1))).reason == "no_identities"


def test_full_agreement_needs_one_judge():
    study = generalisability(of_judges([[0, 1, 4], [0, 1, 4]]))
    assert (study.generalisability, study.dependability, study.judges_needed(0.9)) == (1, 1, 1)


def test_documents_that_do_not_differ_cannot_be_separated():
    study = generalisability(of_judges([[1, 1, 1], [2, 2, 2]]))
    assert (study.generalisability, study.dependability, study.judges_needed(0.8)) == (None, 0, None)
    assert study.decision_study(2)["generalisability"].isna().all()


def test_invalid_arguments_are_refused():
    ratings = of_judges(SHROUT_FLEISS, range(1, 11))
    with pytest.raises(ValueError, match="design must be one of crossed, nested, not 'mixed'"):
        generalisability(ratings, "mixed")
    with pytest.raises(ValueError, match="generalisability needs numbers as grades, not low, high"):
        generalisability(Ratings([[0, 1], [1, 1]], ("low", "high")))
    with pytest.raises(ValueError, match="most must be a whole number of at least 1, not 0"):
        generalisability(ratings).decision_study(0)
    with pytest.raises(ValueError, match="coefficient must be one of generalisability, dependability, not 'phi'"):
        generalisability(ratings).judges_needed(0.8, "phi")
    with pytest.raises(ValueError, match="target must be between 0 and 1"):
        generalisability(ratings).judges_needed(1)
