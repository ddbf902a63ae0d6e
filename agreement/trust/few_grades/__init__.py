"""Scores of systems from the grades of a model for all pairs, and of people for few."""
