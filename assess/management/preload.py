"""Loads what pages with figures need before somebody asks for the first one, which would wait 1.6 s of CPU for it."""

import threading
from importlib import import_module

LIBRARIES = ("pandas", "pyarrow.dataset", "scipy.stats", "matplotlib.backends.backend_svg")
PACKAGES = ("agreement", "agreement.plots")  # whose public names are imported on first access


def preload() -> None:
    """Import the libraries, and all public names of the packages."""
    for name in LIBRARIES:
        import_module(name)
    for package in map(import_module, PACKAGES):
        for name in package.__all__:
            getattr(package, name)


def preload_in_background() -> None:
    """Preload while the server answers already: pages without figures do not wait."""
    threading.Thread(target=preload, name="preload", daemon=True).start()
