"""The built site, opened as files: `make docs` runs this after the build.

zensical ignores options and plugins that it does not know, so these tests look for strings that only a working
reference contains.
"""

import html
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from assay import docs as docs_command
from docs.build import SITE
from docs.reference import pages
from tests.browser import chromium

TAG = re.compile(r"<[^>]+>")
# What a browser loads by itself, unlike the target of a link.
LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=[\"']?((?:https?:)?//[^\"'\s>]+)")
IN_STYLES = re.compile(r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')\s]+)")


def text_of(name: str) -> str:
    """The text of a page, with single spaces."""
    return " ".join(html.unescape(TAG.sub("", (SITE / name).read_text(encoding="utf-8"))).split())


@pytest.mark.parametrize(
    ("name", "strings"),
    [
        (
            "reference/coefficients/cohen_kappa.html",
            (
                "kappa = (P(A) - P(E)) / (1 - P(E))",
                "J. Cohen (1960). A coefficient of agreement for nominal scales.",
                '"one_category": P(E) = 1',
                "cohen kappa 0.776, fair, 95% interval 0.700 to 0.852",
                "weights (('identity', 'linear', 'quadratic', 'ordinal')",  # mkdocstrings
            ),
        ),
        (
            "reference/measures/nDCG.html",
            (
                "nDCG@k = DCG@k / DCG@k of the ideal ranking",
                "K. Järvelin and J. Kekäläinen (2002)",
                "A topic without a positive grade, and an empty ranking, have nDCG 0.",
                "0 bm25 nDCG 0.798485",
            ),
        ),
        (
            "reference/strategies/rrf.html",
            (
                "score(d) = sum over runs of 1 / (k + rank of d in the run)",
                "Reciprocal rank fusion outperforms Condorcet",
                '>>> pool(runs, "rrf", size=2).to_tasks()',
                "Smoothing constant, at least 0.",  # mkdocstrings
            ),
        ),
        (
            "reference/rules/dawid_skene.html",
            (
                "the most likely grade (Dawid and Skene 1979)",
                "Maximum likelihood estimation of observer error-rates",
                "all items if the truth is undefined",
                '>>> gold = make_gold(judgements, "dawid_skene", scale=(0, 1, 2))',
            ),
        ),
        ("reference/adaptive/hedge.html", ("beta^(sum of its losses)", "CIKM 2003", "Learning rate, 0 < beta < 1.")),
        ("reference/policies/overlap.html", ("Assign every task to k different assessors.", ">>> len(assignments) 6")),
        (
            "reference/packages/agreement.significance.html",
            (
                "agreement.compare_systems",
                "J. Allan & B. Carterette (2007)",
                "difference mean score of a minus mean score of b",
            ),
        ),
    ],
)
def test_reference_shows_formula_source_undefined_cases_and_results(name, strings):
    text = text_of(name)
    assert [string for string in strings if string not in text] == []


def test_every_page_of_the_reference_is_built_and_in_the_navigation():
    index = (SITE / "reference" / "index.html").read_text(encoding="utf-8")
    paths = [page.path.replace(".md", ".html") for page in pages()]
    assert [path for path in paths if not (SITE / "reference" / path).exists()] == []
    assert [path for path in paths if path not in index] == []


def test_no_page_leaves_a_directive_or_table_unrendered():
    paths = sorted((SITE / "reference").rglob("*.html"))
    assert len(paths) > 100
    texts = {path.name: text_of(str(path)) for path in paths}
    assert [name for name, text in texts.items() if ":::" in text] == []
    assert [name for name, text in texts.items() if "====" in text] == []  # tables of reStructuredText


def test_nothing_is_loaded_from_another_host():
    found = []
    for path in SITE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        found += [(path.name, address) for address in (*LOADED.findall(text), *IN_STYLES.findall(text))]
    for path in SITE.rglob("*.css"):
        found += [(path.name, address) for address in IN_STYLES.findall(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        yield browser.new_page()
        browser.close()


def test_search_works_in_a_site_that_is_opened_as_a_file(tab: Page):
    requested: list[str] = []
    errors: list[str] = []
    tab.on("request", lambda request: requested.append(request.url))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto((SITE / "getting-started.html").as_uri())
    tab.keyboard.press("/")
    tab.locator("input:focus").fill("Krippendorff")
    result = tab.locator("a[href*='krippendorff_alpha.html']").first
    expect(result).to_be_visible(timeout=30_000)
    result.click()
    expect(tab.locator("h1").first).to_contain_text("krippendorff_alpha", timeout=30_000)
    assert errors == []
    assert [address for address in requested if not address.startswith(("file:", "data:", "blob:"))] == []


def test_scan_finds_foreign_hosts():
    assert LOADED.findall('<script async src="https://unpkg.com/x">') == ["https://unpkg.com/x"]
    assert LOADED.findall("<link rel=stylesheet href=//fonts.example/a.css>") == ["//fonts.example/a.css"]
    assert LOADED.findall('<a href="https://example.org">') == []


def test_site_is_where_the_command_looks_for_it():
    assert docs_command.FIRST_PAGE == SITE / "index.html"
