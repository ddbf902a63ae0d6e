"""Which library a public name of `assay` is taken from."""

from importlib import import_module

from assay import IN_BOTH


def package_of(name: str) -> str:
    """The package of a public name. `pooling` lists its names without loading pandas."""
    if name == "Site":
        return "assay.remote"
    return "pooling" if name not in IN_BOTH and name in import_module("pooling").__all__ else "agreement"
