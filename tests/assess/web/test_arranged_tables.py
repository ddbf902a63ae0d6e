"""Tables that the address filters, sorts and cuts, or shows without some columns: of data, and of a template."""

import re

import pandas as pd
import pytest
from django.http import QueryDict
from django.template import Context, Template
from django.test import RequestFactory

from assess.models import Collection, Run
from assess.web.figures.arrangement import Arrangement, sort_value
from assess.web.figures.names import Names, system_html, topic_html
from assess.web.figures.shown import ShownTable
from assess.web.figures.tables import Column, Table
from assess.web.research.shift.tables import column
from pooling.palette import SYSTEM_COLOURS
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.html import compact

WRITTEN = (
    '{% table rows as row name="t" list="t" %}{% column "judge" key="judge" %}<b>{{ row.judge }}</b>{% endcolumn %}'
    '{% count "n" row.n key="n" %}{% endtable %}'
)


def rows_of(n: int) -> list[dict]:
    return [{"judge": f"judge {number % 7}", "n": number * 37 % n} for number in range(n)]


def shown(n: int, address: str = "", *, written: bool = False, method: str = "get") -> str:
    """The HTML of a table with `n` rows at this address."""
    request = getattr(RequestFactory(), method)(f"/page/?{address}")
    table = Table("t", pd.DataFrame(rows_of(n)), [Column("judge", "judge", "text"), Column("n", "n", "count")])
    source = WRITTEN if written else '{% include "research/_table.html" with shown=shown %}'
    context = {"request": request, "rows": rows_of(n), "shown": ShownTable(table, [])}
    return Template(source).render(Context(context))


def numbers(html: str) -> list[int]:
    return [int(text.replace(",", "")) for text in tables_of(html)["t"]["n"]]


both = pytest.mark.parametrize("written", [False, True])


@both
@pytest.mark.parametrize(("n", "cut"), [(25, False), (40, False), (41, True)])
def test_more_than_forty_rows_are_cut(n, cut, written):
    html = shown(n, written=written)
    assert len(numbers(html)) == (25 if cut else n)
    assert (f"Show all {n} rows" in html) == cut
    assert ('type="search"' in html) == (n > 25)
    assert ('class="sortable' in html) != cut


@both
def test_rows_on_demand_keep_the_rest_of_the_address(written):
    html = shown(130, "rel=1&find-t=judge&sort-t=n", written=written)
    assert 'href="/page/?rel=1&amp;find-t=judge&amp;sort-t=n&amp;rows-t=75#table-t"' in html
    assert 'href="/page/?rel=1&amp;find-t=judge&amp;sort-t=n&amp;rows-t=all#table-t"' in html
    assert numbers(shown(130, "sort-t=n&rows-t=75", written=written)) == list(range(75))
    assert numbers(shown(130, "sort-t=n&rows-t=all", written=written)) == list(range(130))


@both
def test_a_heading_sorts_all_rows_in_both_directions(written):
    html = shown(130, written=written)
    assert 'hx-get="/page/?sort-t=n"' in html
    html = shown(130, "sort-t=n", written=written)
    assert numbers(html) == list(range(25))
    assert 'aria-sort="ascending"' in html
    assert 'hx-get="/page/?sort-t=-n"' in html
    assert numbers(shown(130, "sort-t=-n", written=written)) == list(range(129, 104, -1))


@both
def test_a_filter_looks_in_texts_of_all_rows(written):
    html = shown(130, "find-t=JUDGE+3&rows-t=all", written=written)
    assert set(tables_of(html)["t"]["judge"]) == {"judge 3"}
    assert len(numbers(html)) == len([row for row in rows_of(130) if row["judge"] == "judge 3"])
    assert '<input type="hidden" name="rows-t" value="all" form="tools-t">' in compact(html)
    assert "No row has “&lt;zzz”." in shown(130, "find-t=%3Czzz", written=written)
    assert "No row has “37”." in shown(130, "find-t=37", written=written)  # a number is no text


@both
@pytest.mark.parametrize("address", ["sort-t=zzz", "rows-t=-5", "rows-t=x", "rows-t=0", "rows-t=²", "show-t=zzz"])
def test_unknown_values_arrange_nothing(address, written):
    assert numbers(shown(130, address, written=written)) == [row["n"] for row in rows_of(130)][:25]


@both
def test_the_answer_to_a_form_has_all_rows(written):
    html = shown(130, written=written, method="post")
    assert len(numbers(html)) == 130
    assert "hx-get" not in html
    assert 'class="sortable' in html


def test_a_table_without_a_name_in_the_address_is_whole():
    html = Template(WRITTEN.replace(' list="t"', "")).render(
        Context({"request": RequestFactory().get("/page/?sort-t=n"), "rows": rows_of(130)})
    )
    assert numbers(html) == [row["n"] for row in rows_of(130)]


def test_only_rows_that_are_shown_are_written():
    written = []

    class Row(dict):
        def __getitem__(self, key):
            written.append(key)
            return super().__getitem__(key)

    rows = [Row(row) for row in rows_of(130)]
    Template(WRITTEN).render(Context({"request": RequestFactory().get("/page/"), "rows": rows}))
    assert written.count("n") == 25


def test_columns_of_a_wide_table_can_be_hidden():
    data = pd.DataFrame({f"c{number}": [number] for number in range(9)})
    table = Table("w", data, [Column(name, f"heading {name}", "count") for name in data])

    def page(address: str) -> str:
        context = {"request": RequestFactory().get(f"/page/?{address}"), "shown": ShownTable(table, [])}
        return Template('{% include "research/_table.html" %}').render(Context(context))

    html = page("")
    assert html.count('type="checkbox"') == html.count("checked") == 8  # the first column is always shown
    html = page("show-w=c0&show-w=c4")
    assert [name for name, _ in tables_of(html)["w"].columns] == ["c0", "c4"]
    assert tables_of(html)["w"].texts() == [["0", "4"]]
    assert html.count("checked") == 1
    assert [name for name, _ in tables_of(page("show-w=c0"))["w"].columns] == ["c0"]


def test_rows_of_an_arrangement_are_those_of_the_page(collection):
    table = Table("t", pd.DataFrame(rows_of(130)), [Column("judge", "judge", "text"), Column("n", "n", "count")])
    rows = table.shown_rows(QueryDict("sort-t=-n&find-t=judge"), collection)
    assert rows["n"].tolist() == list(range(129, 104, -1))


def test_numbers_come_before_words_and_missing_values_are_last():
    values = ["b", 10, None, "9", "1,204", "A", True]
    up = Arrangement(sort="x").in_order(range(7), values.__getitem__)
    assert [values[at] for at in up] == [True, "9", 10, "1,204", "A", "b", None]
    down = Arrangement(sort="x", is_descending=True).in_order(range(7), values.__getitem__)
    assert [values[at] for at in down] == ["b", "A", "1,204", 10, "9", True, None]
    assert sort_value("") is None


def test_an_interval_is_a_bar_on_the_axis_of_its_column():
    data = pd.DataFrame({"k": [0.5, 0.25], "k_low": [0.25, -0.2], "k_high": [0.75, 0.7]})
    table = Table("t", data, [Column("k", "kappa")])
    _, ((first,), (second,)) = table.arranged_rows(Arrangement(), Names())
    assert 'style="--low: 37.5%; --high: 79.2%; --at: 58.3%"' in first  # the axis begins at -0.2
    assert ">0.500 <small>±0.25</small></span>" in first
    assert "--low: 0.0%" in second


@pytest.mark.django_db
def test_a_topic_has_its_title_and_a_system_its_colour(collection, django_assert_num_queries):
    collection.topics.create(query_id="<7>", title="tea & milk")
    systems = sorted(Run.objects.values_list("system", flat=True))
    data = pd.DataFrame({"query_id": ["<7>", "gone"], "system": [systems[1], "gone"]})
    table = Table("t", data, [Column("query_id", "topic", "topic"), Column("system", "system", "system")])
    context = {"shown": ShownTable(table, []), "collection": Collection.objects.get(pk=collection.pk)}
    with django_assert_num_queries(2):
        html = Template('{% include "research/_table.html" %}' * 3).render(Context(context))
    cell = 'data-topic="&lt;7&gt;">&lt;7&gt; <small dir="auto" title="tea &amp; milk">tea &amp; milk</small></span>'
    assert html.count(cell) == 3
    mark = f'<span class="system-mark" style="--mark: {SYSTEM_COLOURS[1]}"></span>'
    assert f'<span data-system="{systems[1]}">{mark}{systems[1]}</span>' in html
    assert '<th scope="row" data-value="gone">gone</th><td>gone</td>' in compact(html)


def test_a_filter_finds_a_topic_by_its_title():
    data = pd.DataFrame({"query_id": ["1", "2"], "title": ["green tea", "coffee"]})
    table = Table("t", data, [Column("query_id", "topic", "topic")])
    n_found, ((cell,),) = table.arranged_rows(Arrangement(find="TEA"), Names())
    assert (n_found, re.findall("<small.*?>(.*?)</small>", cell)) == (1, ["green tea"])
    assert table.displayed()["topic"].tolist() == ["1 green tea", "2 coffee"]


def test_the_marks_of_42_systems_differ():
    marks = [system_html("a", position) for position in range(43)]
    assert len(set(marks[:42])) == 42
    assert marks[42] == marks[0]
    assert system_html("<a>", None, "?b=<c>") == '<a href="?b=&lt;c&gt;">&lt;a&gt;</a>'


def test_a_topic_without_a_title_is_its_id():
    assert topic_html("1", "", "?a=<b>") == '<a href="?a=&lt;b&gt;">1</a>'


def test_numbers_are_written_by_one_rule():
    """A minus sign and thousands separators on the page, a hyphen in files, and no p of 0."""
    data = pd.DataFrame({"value": [-0.25], "n": [12_000], "p_adjusted": [0.0002]})
    columns = [Column("value", "value"), Column("n", "n", "count"), Column("p_adjusted", "p", "p")]
    of_shift = [column("value", "value", 3), column("n", "n"), column("p_adjusted", "p", 3)]
    for table in (Table("t", data, columns), Table("t", data, of_shift)):
        html = Template('{% include "research/_table.html" with shown=shown %}').render(
            Context({"shown": ShownTable(table, [])})
        )
        assert re.findall(r'class="num">([^<]+)</td>', html) == ["−0.250", "12,000", "&lt; 0.001"]
        assert list(table.displayed().iloc[0]) == ["-0.250", "12,000", "< 0.001"]
    assert Template("{{ text|minus }}").render(Context({"text": "gpt-4: -0.5 to -.1"})) == "gpt-4: −0.5 to −.1"
