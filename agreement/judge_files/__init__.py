"""The files of many judges, such as language models, with their irregularities.

One file holds the labels of one judge. `read_judgements` turns labels into grades in these steps:

1. A label is a decimal number, a text that `mapping` names, or a text that ends with a number in parentheses
   ("Relevant (1)"). Anything else is an invalid line.
2. `decimals` and `rounding` make it a whole number, because a scale has whole grades.
3. `negative` decides about a negative number. This comes before clipping, which would turn "not judged" into the lowest
   grade. A negative number that the judge's mapping or own scale names is a grade.
4. `off_scale` decides about a grade that is not on the judge's own scale, if one is declared.
5. `mapping` replaces the judge's grades with grades of the scale. All pairs apply at once: 1=2,2=3 does not turn 1
   into 3.
6. `off_scale` decides about a grade that is not on the scale.
7. `duplicates` keeps one grade for each document of a topic. This comes last, because two labels that mean the same
   grade, such as 1 and 1.0, do not contradict each other.

By default each irregularity is an error. Every line that an option changes or leaves out is counted (`counts`).
"""

from agreement.judge_files.notes import COUNTS, counts_sentence, mapping_text, options_sentence
from agreement.judge_files.options import (
    CHOICES,
    LabelOptions,
    NamedSource,
    named_sources,
    parse_mapping,
    per_judge,
    saved_mapping,
)
from agreement.judge_files.reading import JudgementFiles, read_judgements
from agreement.judge_files.treatment import Treated, treat

__all__ = [
    "CHOICES",
    "COUNTS",
    "JudgementFiles",
    "LabelOptions",
    "NamedSource",
    "Treated",
    "counts_sentence",
    "mapping_text",
    "named_sources",
    "options_sentence",
    "parse_mapping",
    "per_judge",
    "read_judgements",
    "saved_mapping",
    "treat",
]
