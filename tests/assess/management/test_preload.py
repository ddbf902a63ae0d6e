"""Icons and the libraries of figures are loaded before the first page that needs them."""

import subprocess
import sys

import pytest

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
