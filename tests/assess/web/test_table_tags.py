"""The tag `table`: headings, cells and their attributes, columns in conditions and loops, refused options."""

import re

import pytest
from django.template import Context, Template, TemplateSyntaxError

from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.html import compact

ROWS = [{"name": "ada", "n": 1204, "grades": [2, 0]}, {"name": "ben <b>", "n": None, "grades": [1]}]


def written(source: str, **context) -> str:
    return compact(Template(source).render(Context({"rows": ROWS} | context)))


def test_headings_and_cells_are_those_of_the_columns():
    html = written(
        '{% table rows as row class="work" id="people" name="judges" %}{% caption %}Not “ben”: {{ no }}{% endcaption %}'
        '{% column "assessor" key="name" data_kind="rich" %}<a href="?{{ row.name }}">{{ row.name }}</a>{% endcolumn %}'
        '{% count "judged" row.n %}{% endtable %}',
        no="<i>",
    )
    assert '<table id="people" class="sortable work" data-table="judges">' in html
    assert "<caption>Not “ben”: &lt;i&gt;</caption>" in html
    assert (
        '<th scope="col" data-key="name" data-kind="rich">assessor</th><th scope="col" class="num">judged</th>' in html
    )
    assert '<tr><th scope="row"><a href="?ada">ada</a></th><td class="num">1,204</td></tr>' in html
    assert ">ben &lt;b&gt;</a></th>" in html
    assert '<td class="num">–</td>' in html
    assert tables_of(html)["judges"].columns == [("name", "rich"), ("", "")]


def test_row_header_hidden_heading_and_attributes():
    html = written(
        '{% table rows as row sortable=False %}{% column "n" kind="figure" value=row.n|default_if_none:"" class="a" %}'
        '{% endcolumn %}{% column "who" is_head=True dir="auto" value=row.name %}x{% endcolumn %}'
        '{% column "remove" is_hidden=True %}<button>Remove</button>{% endcolumn %}{% endtable %}'
    )
    assert '<table class="">' in html
    assert '<span class="visually-hidden">remove</span>' in html
    assert '<td data-value="1204" class="num a"></td><th scope="row" data-value="ada" dir="auto">x</th>' in html
    assert '<td data-value="" class="num a"></td><th scope="row" data-value="ben &lt;b&gt;" dir="auto">' in html


def test_columns_may_stand_in_a_condition_and_in_a_loop():
    source = (
        '{% table rows as row %}{% column "who" %}{{ row.name }}{% endcolumn %}{% if with_n %}{% count "n" row.n %}'
        "{% endif %}{% for topic, grade in topics|beside:row.grades %}{% column topic %}{{ grade }}{% endcolumn %}"
        "{% endfor %}{% endtable %}"
    )
    html = written(source, with_n=False, topics=["t1", "t2"])
    assert re.findall(r'<th scope="col"\s*>(\w+)</th>', html) == ["who", "t1", "t2"]
    assert "<td>2</td><td>0</td>" in html
    assert "<td>1</td><td>None</td>" in html
    assert 'colspan="4"' in written(source, rows=[], with_n=True, topics=["t1", "t2"])


def test_parts_of_a_row_have_names_and_the_total_is_below_the_rows():
    html = written(
        '{% table pairs as name, number total=total %}{% column "who" %}{% if is_total %}all{% else %}{{ name }}'
        '{% endif %}{% endcolumn %}{% count "n" number %}{% endtable %}',
        pairs=[("ada", 2), ("ben", 3)],
        total=("", 5),
    )
    assert '<tr><th scope="row">ben</th><td class="num">3</td></tr></tbody>' in html
    assert '<tfoot><tr><th scope="row">all</th><td class="num">5</td></tr></tfoot>' in html


def test_a_table_without_rows_says_so():
    source = '{% table rows as row empty="Nobody yet." %}{% column "who" %}{{ row.name }}{% endcolumn %}{% endtable %}'
    assert '<tr><td colspan="1">Nobody yet.</td></tr>' in written(source, rows=[])
    assert "Nobody yet." not in written(source)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{% table rows %}{% endtable %}", "needs the rows, “as” and a name"),
        ('{% table rows as row colour="red" %}{% endtable %}', 'does not know colour="red"; its options are class,'),
        ('{% table rows as row %}{% count "n" row.n kind="text" %}{% endtable %}', "does not know kind"),
        ('{% table rows as row %}{% column "n" row.n %}{% endcolumn %}{% endtable %}', "does not know row.n"),
    ],
)
def test_unknown_options_are_refused(source, problem):
    with pytest.raises(TemplateSyntaxError, match=re.escape(problem)):
        Template(source)


def test_a_count_that_does_not_exist_is_an_error():
    with pytest.raises(ValueError, match="Cannot specify"):
        written('{% table rows as row %}{% count "n" row.number %}{% endtable %}')
