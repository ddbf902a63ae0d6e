"""Class exercises on agreement: tables with a requested kappa, and tables with a surprising kappa.

`generate` makes a table of two judges with a requested kappa, and the judgements behind it. `own_numbers` draws such
a table from a seed, so that every student of a class gets different numbers. `paradox` finds tables on which kappa
is surprising. The exercises from a textbook and from lecture slides are in `agreement.exercises.textbook`, worksheets
with checked answers in `agreement.exercises.worksheets`.

All figures are exact. The same arguments and seed give the same exercise.

Examples
--------
>>> from agreement.exercises import generate
>>> exercise = generate(40, kappa=0.6, prevalence=0.3, bias=0.1)
>>> exercise.table
((25, 1), (5, 9))
>>> print(exercise.sentence)
Unpooled kappa is 0.6471 instead of the requested 0.60, the nearest that 40 documents with these marginals allow.
"""

from agreement.exercises.generate import Exercise, generate
from agreement.exercises.paradoxes import PARADOXES, Paradox, paradox
from agreement.exercises.student_numbers import own_numbers

__all__ = ["PARADOXES", "Exercise", "Paradox", "generate", "own_numbers", "paradox"]
