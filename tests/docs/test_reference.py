"""The pages of the reference: one for each entry of a registry, each public name once, and what a page says."""

from collections import Counter

import pytest

import agreement
import assay
import pooling
from agreement.effectiveness import MEASURES
from docs import examples, reference
from docs.docstrings import markdown, parts_of, parts_of_measure, split_source
from docs.tables import markdown_tables, table_rows

# Definitions of our own: how tasks are assigned, and rules that are not taken from an article.
WITHOUT_SOURCE = {
    *pooling.POLICIES,
    "judge:NAME",
    "majority, median",
    "mean",
    "at_least:N",
    "both_agree",
    "adjudicated",
}
ENTRY = "::: "


@pytest.fixture(scope="module")
def pages() -> list[reference.Page]:
    return reference.pages()


def names(pages, kind: str) -> list[str]:
    return [page.name for page in pages if page.kind == kind]


def entries(pages) -> list[str]:
    """The names that mkdocstrings describes."""
    return [line.removeprefix(ENTRY) for page in pages for line in page.text.splitlines() if line.startswith(ENTRY)]


def own(pages) -> list[reference.Page]:
    return [page for page in pages if page.kind != "packages"]


@pytest.mark.in_ci
def test_every_entry_of_a_registry_has_a_page(pages):
    functions = [name.rpartition(".")[2] for name in reference.measure_functions()]
    assert names(pages, "measures") == [*MEASURES, *functions]
    assert {"stat_ap", "extended_inferred_ap"} == set(functions)
    assert names(pages, "strategies") == list(pooling.STRATEGIES)
    assert names(pages, "adaptive") == list(pooling.ADAPTIVE)
    assert names(pages, "policies") == list(pooling.POLICIES)


def test_every_rule_has_a_page(pages):
    listed = [name for title in names(pages, "rules") for name in title.split(", ")]
    assert sorted(listed) == sorted([*reference.rules_by_name(), "judge:NAME", "at_least:N", "corrected:NAME"])


def test_coefficients_are_the_functions_that_return_an_estimate(pages):
    coefficients = names(pages, "coefficients")
    assert {"cohen_kappa", "krippendorff_alpha", "fleiss_kappa", "overlap", "tau_b", "rbo"} <= set(coefficients)
    assert not {"make_gold", "evaluate", "pairwise"} & set(coefficients)


def test_every_public_name_is_described_once(pages):
    counts = Counter(entries(pages))
    for name, value in reference.public_names().items():
        # a policy is imported under the name of a function, and described as the class that it is
        assert counts[name] + counts[f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}"], name
    assert [name for name, number in counts.items() if number > 1] == []


def test_public_names_are_those_of_the_packages():
    described = {id(value) for value in reference.public_names().values()}
    for module in (agreement, pooling, assay):
        missing = [name for name in module.__all__ if id(getattr(module, name)) not in described]
        assert missing == [], module.__name__


def test_every_page_has_a_file_of_its_own_on_all_file_systems(pages):
    paths = Counter(page.path.lower() for page in pages)
    assert [path for path, number in paths.items() if number > 1] == []


def test_every_page_has_a_source_unless_the_definition_is_our_own(pages):
    assert {page.name for page in own(pages) if "\n## Source\n" not in page.text} == WITHOUT_SOURCE


def test_every_page_has_a_formula_or_definition_and_an_example(pages):
    for page in own(pages):
        assert ("\n## Formula\n" in page.text) or ("\n## Definition\n" in page.text), page.name
        assert "```pycon\n>>> " in page.text.partition("\n## Example\n")[2], page.name
        assert len(page.summary) > 10, page.name


def test_every_coefficient_and_measure_states_its_undefined_cases(pages):
    stating = [page for page in own(pages) if page.kind in ("coefficients", "measures")]
    assert [page.name for page in stating if "\n## Undefined cases\n" not in page.text] == []


def test_no_table_of_restructuredtext_is_left(pages):
    assert [page.name for page in pages if "\n====" in page.text] == []


def test_index_and_navigation_name_every_page(pages):
    index, navigation = reference.index_page(pages), reference.navigation(pages)
    assert [page.path for page in pages if f"]({page.path})" not in index] == []
    assert [page.path for page in pages if f"]({page.path})" not in navigation] == []


def test_parts_of_a_docstring():
    parts = parts_of(agreement.cohen_kappa)
    assert parts.formula.startswith("kappa = (P(A) - P(E)) / (1 - P(E))")
    assert parts.source.startswith("- J. Cohen (1960).")
    assert parts.source.count("\n- ") == 1
    assert '\n\n* "empty": there is no judgement.\n' in parts.undefined
    assert parts.example.startswith(">>> ")


def test_parts_of_the_docstring_of_a_measure():
    parts = parts_of_measure(
        "Share.\n\n    S = a / b\n\nSource: A. Person (1999), A title, pages 1-2. Range 0 to 1. A topic without "
        "relevant documents has 0."
    )
    assert parts.summary == "Share."
    assert parts.formula == "    S = a / b\n\nRange 0 to 1. A topic without relevant documents has 0."
    assert parts.source == "A. Person (1999), A title, pages 1-2."
    assert parts.undefined == "A topic without relevant documents has 0."


def test_source_of_a_strategy_is_the_paragraph_with_author_and_year():
    assert split_source("How.\n\nA. Person, A title, 1999.\n\nMore.") == ("How.\n\nMore.", "A. Person, A title, 1999.")
    assert split_source("How.\n\nA. Person, 1999. Deviations:\n\n1. One.") == (
        "How.",
        "A. Person, 1999. Deviations:\n\n1. One.",
    )
    assert split_source("How.") == ("How.", "")


def test_items_of_a_numbered_list_are_indented_by_four_spaces():
    assert markdown("1. One\n   line:\n\n       x = 1\n\n   end.\n2. Two.\n\nText.\n\n    y = 2") == (
        "1. One\n    line:\n\n        x = 1\n\n    end.\n\n2. Two.\n\nText.\n\n    y = 2"
    )


TABLE = "==== =====\nname value\n==== =====\na    1|2\n     more\nb,   3\nc\n==== =====\n"


def test_tables_become_markdown():
    expected = "Text.\n\n| name | value |\n|---|---|\n| a | 1\\|2 more |\n| b, c | 3 |\n\nMore."
    assert markdown_tables(f"Text.\n\n{TABLE}\nMore.") == expected
    assert table_rows(TABLE) == [["a", "1|2 more"], ["b, c", "3"]]


def test_table_without_a_header_has_an_empty_one():
    assert markdown_tables("== ==\na  b\nc  d\n== ==\nText.") == "|  |  |\n|---|---|\n| a | b |\n| c | d |\nText."


def test_transcript_shows_statements_and_what_they_print():
    assert examples.transcript("x = [\n    1,\n]\nx\nprint('two')") == (
        ">>> x = [\n...     1,\n... ]\n>>> x\n[1]\n>>> print('two')\ntwo"
    )


def test_sentences_between_examples_are_outside_the_blocks():
    text = "First:\n\n>>> 1\n1\n\n>>> 2\n2\n\nThen:\n\n>>> 3\n3\n"
    assert examples.fenced(text) == (
        "First:\n\n```pycon\n>>> 1\n1\n\n>>> 2\n2\n```\n\nThen:\n\n```pycon\n>>> 3\n3\n```"
    )


def test_failed_example_ends_the_build():
    assert examples.checked("good", ">>> 1 + 1  # doctest: +ELLIPSIS\n2\n") == ">>> 1 + 1\n2\n"
    with pytest.raises(ValueError, match="The example of bad fails"):
        examples.checked("bad", ">>> 1 + 1\n3\n")
