"""The drawings of the shift pages: no title under a heading, and a drawing for phones."""

import re

import pytest
from django.urls import reverse

from tests.assess.web.research.analysis.test_every_figure import SHIFT, address

pytestmark = pytest.mark.site
FIGURES = [
    ("shift", "ranges", "their ranges over 3 golds"),
    ("leaderboard", "leaders", " under judge:first"),
    ("shift_mixed", "mixed", "Ranks by the mean score"),
    ("shift_intervals", "intervals", ", resampling topics<"),
    ("shift_intervals", "intervals-judges", ", resampling topics and judges"),
]
WITHOUT_PHONE = [
    ("shift_golds", "heat-map", "tau_b between golds"),
    ("shift_topics", "score-map", " systems on "),
    ("shift_topics", "topic-scores", " systems on "),
]


@pytest.fixture
def http(site, signed_in):
    return signed_in(site.reader)


def drawings(http, site, page: str, figure: str) -> list[str]:
    html = http.get(address(site, page), SHIFT).content.decode()
    (shown,) = re.findall(rf'<figure class="chart chart-{figure}[ "].*?</figure>', html, re.DOTALL)
    return re.findall(r"<svg [^>]*viewBox.*?</svg>", shown, re.DOTALL)


@pytest.mark.parametrize(("page", "figure", "title"), FIGURES + WITHOUT_PHONE, ids=lambda value: value)
def test_only_files_repeat_the_heading_as_a_title(http, site, page, figure, title):
    drawn = [re.sub("<svg [^>]*>", "", svg) for svg in drawings(http, site, page, figure)]
    file = http.get(reverse("research:shift_chart", args=["ranked", figure, "svg"]), SHIFT).content.decode()

    assert drawn
    assert title in file.split("</metadata>")[1]
    assert not any(title in svg for svg in drawn)


@pytest.mark.parametrize(("page", "figure", "title"), FIGURES, ids=lambda value: value)
def test_a_phone_has_a_narrow_drawing_with_the_same_marks(http, site, page, figure, title):
    wide, narrow = drawings(http, site, page, figure)
    width = [float(re.search(r'viewBox="0 0 ([\d.]+) ', svg)[1]) for svg in (wide, narrow)]
    marks = [set(re.findall(r'data-system="([^"]+)"', svg)) for svg in (wide, narrow)]

    assert width[1] == pytest.approx(212.4)
    assert width[0] > 400
    assert marks[0] == marks[1] != set()
