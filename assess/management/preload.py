"""Loads what pages need before somebody asks for the first one.

It would wait for the icons, which cost half a second of CPU because the package looks for each one in an archive, for
addresses and templates, and with figures 1.6 s more for the libraries.
"""

import threading
from importlib import import_module

from django.utils.module_loading import import_string

FRAME = "assess.web.frame.tags.load_frame"  # by its name, because commands do not import pages
LIBRARIES = ("pandas", "pyarrow.dataset", "scipy.stats", "matplotlib.backends.backend_svg")
PACKAGES = ("agreement", "agreement.plots")  # whose public names are imported on first access


def preload() -> None:
    """Load the frame, the libraries, and all public names of the packages."""
    import_string(FRAME)()
    for name in LIBRARIES:
        import_module(name)
    for package in map(import_module, PACKAGES):
        for name in package.__all__:
            getattr(package, name)


def preload_in_background() -> None:
    """Preload while the server answers already: pages without figures do not wait."""
    threading.Thread(target=preload, name="preload", daemon=True).start()
