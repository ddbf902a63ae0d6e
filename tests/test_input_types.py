"""Public functions take other types by their meaning, or refuse them with one sentence of ours."""

import inspect
import linecache
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from agreement import compare_systems
from agreement.rank_correlation import ranking_of, rbo, tau_b, tau_b_batch
from pooling import capture_recapture, gain_curve, near_duplicates, quantile_bound, target_method

PACKAGES = (
    "agreement",
    "agreement.effectiveness",
    "agreement.meta_evaluation",
    "agreement.novelty",
    "agreement.rank_correlation",
    "agreement.significance",
    "pooling",
)
VALUES = {
    "list": lambda: [0.5, 0.25],
    "tuple": lambda: (0.5, 0.25),
    "generator": lambda: (value for value in (0.5, 0.25)),
    "dict": lambda: {"a": 0.5, "b": 0.25},
    "set": lambda: {"a", "b"},
    "names": lambda: ["a", "b"],
    "Series": lambda: pd.Series([0.5, 0.25], index=["a", "b"]),
    "frame": lambda: pd.DataFrame({"a": [0.5, 0.25]}),
    "array": lambda: np.array([0.5, 0.25]),
    "None": lambda: None,
}


def public_functions():
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            if inspect.isfunction(getattr(module, name)):
                yield pytest.param(getattr(module, name), id=f"{package}.{name}")


def call(function, make):
    """Call a function with the same value for each required parameter, and read what a generator yields."""
    required = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    positional = [make() for each in required if each.kind == each.POSITIONAL_OR_KEYWORD]
    result = function(*positional, **{each.name: make() for each in required if each.kind == each.KEYWORD_ONLY})
    if inspect.isgenerator(result):
        list(result)


def raising_line(error):
    """The line of code that raised an error."""
    place = error.__traceback__
    while place.tb_next:
        place = place.tb_next
    return place.tb_frame.f_globals["__name__"], linecache.getline(place.tb_frame.f_code.co_filename, place.tb_lineno)


def error_of(function, make):
    try:
        call(function, make)
    except FileNotFoundError:
        return None  # "a" is the name of a file
    except (TypeError, ValueError) as error:
        return error
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", public_functions())
def test_another_type_gives_a_result_or_one_sentence_of_ours(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, make in VALUES.items():
        error = error_of(function, make)
        if error is not None:
            module, line = raising_line(error)
            assert module.split(".")[0] in ("agreement", "pooling"), (kind, error)
            assert line.strip().startswith("raise "), (kind, error)


# The meaning of each type


X, Y = [0.9, 0.5, 0.5, 0.1], [0.2, 0.4, 0.3, 0.1]


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pd.array])
def test_scores_of_systems_may_be_any_ordered_type(kind):
    assert tau_b(kind(X), kind(Y)) == tau_b(X, Y)
    assert tau_b_batch(kind(X), [Y]).values.tolist() == tau_b_batch(X, [Y]).values.tolist()


@pytest.mark.parametrize("scores", [dict(enumerate(X)), set(X), iter(X), None, "0.9", pd.DataFrame({"x": X})])
def test_scores_without_an_order_are_refused(scores):
    with pytest.raises(ValueError, match=r"^Scores must be a list, an array or a Series"):
        tau_b(scores, Y)
    with pytest.raises(ValueError, match=r"^Scores must be a list, an array or a Series"):
        tau_b(Y, scores)


@pytest.mark.parametrize("kind", [list, tuple, np.array, iter])
def test_a_ranking_may_be_any_list_of_items(kind):
    assert rbo(kind(["a", "b", "c"]), kind(["b", "a", "d"]), 0.9) == rbo(["a", "b", "c"], ["b", "a", "d"], 0.9)


@pytest.mark.parametrize("kind", [dict, pd.Series])
def test_scores_are_no_ranking(kind):
    scores = {"a": 0.1, "b": 0.9}
    with pytest.raises(ValueError, match=rf"^Ranking S must be a list of items .*, not {kind.__name__}\. `ranking_of`"):
        rbo(kind(scores), ["b", "a"], 0.9)
    assert rbo(ranking_of(list(scores.values()), list(scores)), ["b", "a"], 0.9).value == pytest.approx(1)


@pytest.mark.parametrize("kind", [list, tuple, iter, np.array, pd.Series, pd.Index])
@pytest.mark.parametrize("rule", [target_method, quantile_bound])
def test_documents_of_a_review_may_be_any_list(rule, kind):
    sample, review, relevant = ["3", "1", "2"], ["1", "2", "3", "4"], ["1", "2"]
    options = {"target": 2} if rule is target_method else {"recall": 0.1}

    result = rule(kind(sample), kind(review), kind(relevant), **options)

    assert result == rule(sample, review, set(relevant), **options) or vars(result) == vars(
        rule(sample, review, set(relevant), **options)
    )
    assert result.stop_after is not None
    numbers = rule([3, 1, 2], [1, 2, 3, 4], {1, 2}, **options)
    assert vars(numbers) == vars(result)  # ids are strings


@pytest.mark.parametrize("rule", [target_method, quantile_bound])
def test_grades_are_no_set_of_relevant_documents(rule):
    with pytest.raises(ValueError, match=r"^relevant must be a collection of ids, not dict$"):
        rule(["a"], ["a"], {"a": 0})
    with pytest.raises(ValueError, match=r"^review must be a list of ids, in their order, not set$"):
        rule(["a"], {"a"}, {"a"})


def test_sources_with_numbers_and_strings_share_documents():
    pair = capture_recapture({"runs": [1, 2, 3], "searchers": pd.Series(["2", "3", "4"])}).pairs.iloc[0]
    assert (pair["n_common"], pair["n_found"]) == (2, 4)


def test_texts_may_be_a_series_with_ids_as_its_index():
    texts = {"1": "one two three four", "2": "one two three four"}
    assert near_duplicates(pd.Series({1: texts["1"], 2: texts["2"]})).groups() == near_duplicates(texts).groups()
    with pytest.raises(ValueError, match=r"^texts must be a dictionary with ids as its keys, not list$"):
        near_duplicates(list(texts.values()))


def test_a_gain_curve_reads_the_values_of_a_series():
    assert gain_curve(pd.Series([1, 0, 1], index=[5, 6, 7])).found.tolist() == [0, 1, 1, 2]
    with pytest.raises(ValueError, match=r"^relevance must be a list of numbers, not dict$"):
        gain_curve({"a": 1})


def test_systems_are_compared_from_a_table_and_not_from_lists():
    scores = {"x": {"1": 0.5, "2": 0.25}, "y": {"1": 0.25, "2": 0.5}}
    of_table = compare_systems(pd.DataFrame(scores).T)
    assert compare_systems(scores).equals(of_table)
    with pytest.raises(TypeError, match=r"^Scores must be a table of systems and topics or a dictionary, not list"):
        compare_systems([[0.5, 0.25], [0.25, 0.5]])
