"""Icons and the libraries of figures are loaded before the first page that needs them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from assess.web.frame.sidebar import GROUPS
from assess.web.frame.tags import ICONS

TEMPLATES = Path(__file__).parents[3] / "templates"

PROGRAM = """
import sys
import django
django.setup()
from assess.management.preload import preload
from assess.web.frame.tags import icon
preload()
assert icon.cache_info().currsize > 15
import agreement.plots
assert "scipy.stats" in sys.modules
assert "matplotlib.backends.backend_svg" in sys.modules
before = set(sys.modules)
from agreement import Ratings, cohen_kappa, ranking_shift
from agreement.plots import slope_chart
assert not {name for name in set(sys.modules) - before if name.partition(".")[0] in ("agreement", "matplotlib")}
"""


@pytest.mark.slow
def test_icons_public_names_and_libraries_are_loaded():
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)


def test_icons_of_all_pages_of_a_collection_are_loaded():
    frame = [*(TEMPLATES / "frame").glob("*.html"), *(TEMPLATES / "research").rglob("*.html")]
    named = {name for path in frame for name in re.findall(r'{% icon "([\w-]+)"', path.read_text())}

    assert named
    assert named <= {*ICONS, *(entry.icon for group in GROUPS for entry in group.entries)}
