"""Recorded random draws of the pairs that people grade."""

from pooling.draws.designs import draw_by_stratum, draw_two_stage
from pooling.draws.draw import Draw
from pooling.draws.files import read_draw, write_draw
from pooling.draws.poisson import draw_poisson

__all__ = ["Draw", "draw_by_stratum", "draw_poisson", "draw_two_stage", "read_draw", "write_draw"]
