"""Recorded random draws of the pairs that people grade."""

from pooling.draws.designs import draw_by_stratum
from pooling.draws.draw import Draw

__all__ = ["Draw", "draw_by_stratum"]
