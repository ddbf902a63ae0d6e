"""Exercises on agreement: tables with a wished kappa, and tables that surprise.

    exercise = generate(40, grades=2, kappa=0.6, prevalence=0.3, seed=1)   # a table; exercise.sentence says how near
    exercise.judgements(topics=2)                       # the same as judgements of two judges
    own_numbers(seed=17)                                # another table for every student, from the seat's seed
    paradox("high agreement, low kappa", 40, seed=1)    # one of PARADOXES

Everything is exact and follows from the arguments: the same seed gives the same exercise.
"""

from agreement.exercises.generate import Exercise, generate
from agreement.exercises.paradoxes import PARADOXES, Paradox, paradox
from agreement.exercises.student_numbers import own_numbers

__all__ = ["PARADOXES", "Exercise", "Paradox", "generate", "own_numbers", "paradox"]
