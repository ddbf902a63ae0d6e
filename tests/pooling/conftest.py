"""Properties are tried on the same examples every time, however busy the machine is."""

from hypothesis import settings

settings.register_profile("assay", deadline=None, derandomize=True)
settings.load_profile("assay")
