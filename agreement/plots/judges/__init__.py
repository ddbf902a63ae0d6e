"""Figures of judges and of their work."""
