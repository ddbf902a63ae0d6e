"""The strategies and their parameters in words."""

import pytest

import pooling
from assess.pools.building import strategies


def test_every_strategy_has_a_summary():
    assert strategies.SUMMARIES.keys() == {*pooling.STRATEGIES, "every_document"} == set(strategies.names())


@pytest.mark.parametrize("strategy", sorted(pooling.STRATEGIES))
def test_every_parameter_has_words_and_required_ones_a_suggestion(strategy):
    for name, default in strategies.options_of(strategy).items():
        parameter = strategies.PARAMETERS[name]
        assert parameter.label
        assert parameter.help_text
        assert default is not ... or parameter.initial is not None


def test_parameters_are_described_in_words():
    stored = {"k": 60, "size": 1_000, "depth": 50, "seed": 1_234, "score_precision": "float64"}
    words = "rrf: 1,000 documents per topic, k = 60, the first 50 of each run, seed 1234"
    assert strategies.describe("rrf", stored) == words
    assert strategies.describe("stratified", {"strata": [[10, 1.0], [100, 0.1]]}) == "stratified: ranges 10:1 100:0.1"
    assert strategies.describe("exercise", {"from": "pasted text", "shared": 6}) == "exercise"


@pytest.mark.parametrize("text", ["10:1 100:0.1", "10:1.0,100:0.10", " 10:1 , 100:0.1 "])
def test_ranges_are_read(text):
    assert strategies.parse_strata(text) == [[10, 1.0], [100, 0.1]]
    assert strategies.format_strata(strategies.parse_strata(text)) == "10:1 100:0.1"


@pytest.mark.parametrize("text", ["10", "10:", ":1", "a:1", "10:1:1", "1.5:1"])
def test_invalid_ranges_are_refused(text):
    with pytest.raises(ValueError, match="must be a last rank and a rate, such as 10:1"):
        strategies.parse_strata(text)


def test_strategies_without_a_growing_parameter():
    assert [name for name in strategies.names() if strategies.growing_parameter(name) is None] == [
        "stratified",
        "every_document",
    ]


def test_function_without_words_types_or_docstring_is_described_by_its_name(monkeypatch):
    def bare(runs, *, size, share=0.5, exact=True, seed: int = 0, weights: "list[float] | None" = None):
        raise NotImplementedError

    monkeypatch.setitem(pooling.STRATEGIES, "bare", bare)
    assert strategies.summary("bare") == "bare"
    kinds = {name: parameter.kind for name, parameter in strategies.parameters_of("bare").items()}
    assert list(kinds.items()) == [("share", float), ("exact", bool), ("seed", int)]
    assert strategies.required_without_field("bare") == ["size"]
    assert strategies.describe("bare", {"share": 1.0, "exact": False, "weights": [1]}) == (
        "bare: share = 1.0, exact = no"
    )
