"""How templates write names."""

import pytest

from assess.templatetags.numbers import breakable


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("decimal.Decimal.from_float (method)", "decimal.<wbr>Decimal.<wbr>from_<wbr>float (method)"),
        ("lib:json.dumps", "lib:<wbr>json.<wbr>dumps"),
        ("/api/v1/topics", "/<wbr>api/<wbr>v1/<wbr>topics"),
        ("One sentence. Another.", "One sentence. Another."),
        ("a.<b>", "a.&lt;b&gt;"),
    ],
)
def test_a_line_may_break_after_the_marks_in_a_name(name, html):
    assert breakable(name) == html
