"""Every figure of every analysis page is that of the CSV file behind it."""

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from assess.analysis import agreement
from assess.web.research.shift import named_figures
from assess.web.research.urls import urlpatterns
from tests.assess.web.research.analysis.built_analysis import Analysis
from tests.assess.web.research.analysis.shown_tables import check_table, says, tables_of

pytestmark = pytest.mark.site

Lines = list[dict[str, str]]
THREE_GOLDS = ["judge:first", "judge:second", "majority"]  # few, because every two are compared
SHIFT = {"reference": "judge:first", "against": "judge:second", "golds": THREE_GOLDS}
CSV_LINK = re.compile(r'href="([^"]+?([\w-]+)\.csv[^"]*)"')


@pytest.fixture
def http(site, signed_in):
    return signed_in(site.reader)


def pair_figures(html: str, _lines: dict[str, Lines], http) -> None:
    """The figures of two judges, and their table."""
    pairs = lines_of(http, reverse("research:agreement_table", args=["ranked", "pairs", "csv"]) + "?rel=all")
    (line,) = (line for line in pairs if (line["judge_a"], line["judge_b"]) == ("first", "second"))
    shown = dict(re.findall(r'<div class="big" data-figure="(\w+)">(.*?)</div>', html))
    assert set(shown) == {"pooled_kappa", "cohen_kappa", "weighted_kappa", "percent_agreement"}
    for name, text in shown.items():
        assert says(text, {name: line[name]}, name)
    counts = dict(re.findall(r'data-count="(\w+)">\s*(?:<a [^>]*>)?\s*(\d+)', html))
    only_one = counts.pop("only_one")
    assert int(only_one) == sum(".xl".count(a) != ".xl".count(b) for a, b in zip("10210x", "0100l1", strict=True))
    assert counts == {name: line[name] for name in ("n", "cannot_judge", "later")}


def pace_figure(html: str, lines: dict[str, Lines], _http) -> None:
    """The figure names the judges whose pace and kappa are known."""
    drawn = re.search(r'<figure class="chart chart-pace">.*?</figure>', html, re.S)[0]
    assert "var(--ink)" in drawn
    for name in ("first", "second", "third", "gpt"):
        assert (f"<!-- {name} -->" in drawn or f">{name}<" in drawn) == (
            name in {line["judge"] for line in lines["pace"]}
        )


def contingency_table(html: str, lines: dict[str, Lines], _http) -> None:
    shown = tables_of(html)["table"].texts()
    assert shown == [list(line.values()) for line in lines["table"]]


def matrix(html: str, lines: dict[str, Lines], _http) -> None:
    """The cells of the matrix are the pairs."""
    cells = re.findall(r"<title>(\w+) and (\w+): (\S+), n = (\d+)</title>", html)
    assert len(cells) == len(lines["pairs"]) == 6
    known = {frozenset((line["judge_a"], line["judge_b"])): line for line in lines["pairs"]}
    for a, b, kappa, n in cells:
        line = known[frozenset((a, b))]
        assert n == line["n"]
        assert says(kappa, {"kappa": line["pooled_kappa"]}, "kappa")


def means_of_the_matrix(_html: str, lines: dict[str, Lines], _http) -> None:
    """With many judges only the file has the means over topics; it has the pairs of the matrix."""
    pairs, means = ([(line["judge_a"], line["judge_b"]) for line in lines[name]] for name in ("pairs", "means"))
    assert pairs == means


def all_pairs(_html: str, lines: dict[str, Lines], _http) -> None:
    """The file of every pair in every topic has the pairs of the table."""
    rows = [line for line in lines["agreement"] if line["query_id"] == "" and line["across"] == "pooled"]
    pooled = {(line["assessor_a"], line["assessor_b"]): line["pooled_kappa"] for line in rows}
    assert {(line["judge_a"], line["judge_b"]): line["pooled_kappa"] for line in lines["pairs"]} == pooled


def ranks_side_by_side(html: str, lines: dict[str, Lines], _http) -> None:
    shown, _ = re.search(r'data-table="rank-table">(.*?)</table>(.*)', html, re.S).groups()
    golds = re.findall(r'<th scope="col" class="num">(.*?)</th>', shown)
    assert golds == THREE_GOLDS
    rows = re.findall(r"<tr>\s*<th scope=\"row\">\s*(?:<span[^>]*>|</span>)*(\w+).*?</th>(.*?)</tr>", shown, re.S)
    assert len(rows) * len(golds) == len(lines["ranks"])
    for system, content in rows:
        cells = re.findall(r'data-value="(\d+)" class="num">\s*(.*?)\s*</td>', content, re.S)
        for gold, (rank, text) in zip(golds, cells, strict=True):
            (line,) = (line for line in lines["ranks"] if (line["gold"], line["system"]) == (gold, system))
            assert rank == line["rank"]
            assert f"<small>{float(line['score']):.3f}</small>" in text
            change = int(line["change"])
            assert (f"({change:+d})".replace("-", "−") in text) == (change != 0)


def measures_side_by_side(html: str, lines: dict[str, Lines], _http) -> None:
    golds = list(dict.fromkeys(line["gold_b"] for line in lines["measures"]))
    by_gold = [[line["tau_b"] for line in lines["measures"] if line["gold_b"] == gold] for gold in golds]
    rows = tables_of(html)["measures-wide"].rows
    assert [[cell.value for cell in row[1:]] for row in rows] == by_gold
    assert {line["measure"] for line in lines["measures"]} == {"AP", "AP(rel=2)", "nDCG@10", "P@10"}


def heat_map_of_many_golds(html: str, lines: dict[str, Lines], _http) -> None:
    cells = re.findall(r'<td class="\w+" title="(\S+) and (\S+): (\S+), (\d+) topics">([^<]+)</td>', html)
    known = {(line["gold_a"], line["gold_b"]): line for line in lines["all-golds"]}
    assert len(cells) == 2 * len(known)
    for a, b, value, topics, text in cells:
        line = known[a, b]
        assert topics == line["n_topics"]
        assert says(value, {"value": line["tau_b"]}, "value") or (value, line["tau_b"]) == ("undefined", "")
        assert (
            says(text.replace("−", "-"), {"x": line["tau_b"] and str(100 * float(line["tau_b"]))}, "x") or text == "?"
        )


def listed_grades(html: str, lines: dict[str, Lines], _http) -> None:
    """The chips of the list, with the names of the judges."""
    rows = re.findall(r'<div class="given">(.*?)</td>', html, re.S)
    for row, line in zip(rows, lines["documents"], strict=True):
        given = re.findall(r"<b>(\d)</b></span>\s*([^<]*?)\s*</div>", row)
        shown = {f"judge:{name}": grade for grade, names in given for name in names.split(", ")}
        assert shown == {name: grade for name, grade in line.items() if name.startswith("judge:") and grade}


@dataclass(frozen=True)
class Page:
    """A page, with the figures that are not in a table of the name of their file."""

    name: str
    query: dict = field(default_factory=dict)
    tables: frozenset[str] = frozenset()
    others: dict[str, Callable] = field(default_factory=dict)
    judges_in_pairs: int = 6
    golds_drawn: int = 24

    def __str__(self) -> str:
        return f"{self.name} {' '.join(self.query)}".strip()


def page(name: str, *tables: str, query: dict | None = None, **values) -> Page:
    return Page(name, query or {}, frozenset(tables), **values)


PAIR = {"table": contingency_table, "": pair_figures}
PAGES = [
    page(
        "agreement", "pairs", "means", "together", "intraclass", "enough", "reference", others={"agreement": all_pairs}
    ),
    page(
        "agreement",
        "together",
        "intraclass",
        "enough",
        "reference",
        query={"rel": "all", "weights": "quadratic", "topic": ["1", "2"], "reference": "majority"},
        others={"agreement": all_pairs, "pairs": matrix, "means": means_of_the_matrix},
        judges_in_pairs=2,
    ),
    page("agreement_golds", "golds", query={"rel": "all"}),
    page("agreement_topics", "topics", query={"rel": "all"}),
    page("agreement_judges", "judges", "repeats"),
    page("agreement_time", "time", "pace", others={"": pace_figure}),
    page("pair", "topics", "benchmarks", "tests", query={"rel": "all"}, others=PAIR),
    page("documents", "documents", others={"": listed_grades}),
    page("documents", "documents", query={"order": "leverage", "gold": "majority"}, others={"": listed_grades}),
    page("document", "judgements", "history", "systems", "effect"),
    page("shift", "ranges", "golds", query=SHIFT, others={"ranks": ranks_side_by_side}),
    page(
        "shift",
        "ranges",
        "golds",
        "correlation-intervals",
        query=SHIFT | {"intervals": "topics"},
        others={"ranks": ranks_side_by_side},
    ),
    page("shift_golds", "all-golds", query=SHIFT),
    page("shift_golds", "all-golds", query=SHIFT, others={"": heat_map_of_many_golds}, golds_drawn=2),
    page("shift_swaps", "swaps", query=SHIFT),
    page("swap", "swap-topics", "swap-documents", query=SHIFT),
    page("leverage", "leverage", query=SHIFT),
    page("shift_mixed", "mixed-systems", "mixed-taus", "mixed-tops", "mixed-orders", query=SHIFT),
    page("shift_intervals", "intervals", "intervals-judges", query=SHIFT),
    page("shift_measures", "measures", query=SHIFT, others={"": measures_side_by_side}),
    page("shift_differences", "differences", query=SHIFT),
    page("leaderboard", "leaderboard", query=SHIFT),
    page("shift_topics", "variance", "topic-difficulty", "decisive-topics", query=SHIFT),
]


def address(site: Analysis, name: str) -> str:
    values = {"pair": [site.judges["first"].pk, site.judges["second"].pk], "document": [site.disputed]}
    return reverse(f"research:{name}", args=["ranked", *values.get(name, [])])


def lines_of(http, url: str) -> Lines:
    response = http.get(url)
    assert response.status_code == 200, url
    return list(csv.DictReader(io.StringIO(response.content.decode())))


@pytest.mark.parametrize("shown", PAGES, ids=str)
def test_every_figure_of_a_page_is_that_of_its_file(http, site, monkeypatch, shown):
    monkeypatch.setattr(agreement, "MOST_JUDGES_IN_PAIRS", shown.judges_in_pairs)
    monkeypatch.setattr(named_figures, "MOST_DRAWN_GOLDS", shown.golds_drawn)
    response = http.get(address(site, shown.name), shown.query)
    html = response.content.decode()
    assert response.status_code == 200, html[-3000:]
    raw = reverse("research:judgements_csv", args=["ranked"])  # the commands of the menu start from it
    links = {name: unescape(url) for url, name in CSV_LINK.findall(html) if url != raw}
    files = {name: lines_of(http, url) for name, url in links.items()}
    assert set(files) == shown.tables | shown.others.keys() - {""}
    tables = tables_of(html)
    for name in shown.tables:
        assert check_table(tables[name], files[name])
        assert len(tables[name].rows) == min(len(files[name]), 50)
        latex = http.get(links[name].replace(".csv", ".tex")).content.decode()
        assert latex.count(r" \\") == len(files[name]) + 1
    for check in shown.others.values():
        check(html, files, http)


def test_the_list_has_every_page_with_a_file(http, site):
    patterns = [each for each in urlpatterns if str(each.pattern).startswith(("agreement", "documents", "shift"))]
    listed = {page.name for page in PAGES}
    pages = set()
    for pattern in patterns:
        if set(pattern.pattern.converters) <= {"a", "b", "task"} and pattern.name != "open_grades":
            response = http.get(address(site, pattern.name), SHIFT if "shift" in pattern.name else {})
            if CSV_LINK.search(response.content.decode()):
                pages.add(pattern.name)
    assert pages == listed


def counted(http, site) -> list[tuple[str, str]]:
    """Each link from the pages on agreement to a list of documents, with the number that it shows."""
    pages = [("agreement", {}), ("agreement_judges", {}), ("agreement_time", {}), ("pair", {"rel": "all"})]
    pages += [("agreement_time", {"kind": "human"}), ("agreement_judges", {"since": "2026-03-02"})]
    pages += [("agreement", {"reference": "adjudicated", "kind": "human"}), ("agreement", {"reference": "majority"})]
    pages += [("agreement", {"reference": "adjudicated", "until": "2026-03-01"})]
    link = re.compile(r'<a href="([^"]*/documents/\?[^"]+)">\s*([\d,]+)\s*</a>')
    found = [link.findall(http.get(address(site, name), query).content.decode()) for name, query in pages]
    return [(unescape(url), n) for links in found for url, n in links]


def test_a_list_has_as_many_documents_as_the_number_that_links_to_it(http, site):
    links = dict.fromkeys(counted(http, site))
    shown = {name for url, n in links for name in parse_qs(urlsplit(url).query) if n != "0"}
    assert {"later", "cannot_judge", "unjudged", "repeated", "window", "kind", "shared", "grade"} <= shown
    for url, n in links:
        rows = lines_of(http, url.replace("/documents/?", "/documents.csv?"))
        assert len(rows) == int(n), url
