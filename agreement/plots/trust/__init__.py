"""Figures of model judges compared with people."""
