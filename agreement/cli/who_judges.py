"""`python -m agreement who_judges --run runs/*.gz --judge umbrela.qrels --measure nDCG@10`: what should people grade?

For each pair of topic and document that a model graded and people did not, the command computes what a grade of people
is expected to teach about the ranking of the systems, and lists the pairs with the largest gain first. `--human` names
the grades that people have given so far: their pairs are not listed, and they say how far people differ from the model.

Nothing is random. Grades of the first pairs of the list cannot correct scores, because nobody knows how likely each
pair was to be chosen. `--csv` prints the gains from which `assay draw --poisson` draws pairs at random.
"""

import argparse
import json
import sys

import numpy as np
import pandas as pd

from agreement.cli.files import named, read_ranked
from agreement.cli.kappa import _note, _undeclared_scale, declared
from agreement.trust.model_files import read_model_grades
from agreement.trust.who_judges import WhoJudges
from agreement.trust.who_judges import who_judges as compute
from pooling.text_tables import csv_table, prose, render, rounded
from pooling.trec import read_qrels

LISTED = 20  # pairs in a text
CHOSEN_BY_HAND = (
    "Grades of the first pairs cannot correct scores: to do so, draw pairs at random by their gain (assay draw"
    " --poisson)."
)


def who_judges(options: argparse.Namespace) -> str:
    """Compute the gains, and return the list in the form of the options."""
    if options.size is not None and options.size < 1:
        raise ValueError(f"--size must be a whole number of at least 1, not {options.size}.")
    model, notes = _grades_of_model(options)
    people = _grades_of_people(options)
    scale = _scale(options, model, people)
    notes += [] if options.scale else [options.names.of(_note(scale))]
    runs = read_ranked(options)
    result = compute(runs, model, options.measure, people, scale=scale, pairs=options.pairs)
    if options.form not in ("csv", "json"):
        return _text(result, notes, options)
    sys.stderr.writelines(f"{options.prog}: {note}\n" for note in [*notes, result.summary()])
    return csv_table(_listed(result, options.size)) if options.form == "csv" else _json(result, options.size)


def _grades_of_model(options: argparse.Namespace) -> tuple[pd.DataFrame, list[str]]:
    """The grades of the only model, and notes on its file."""
    read = read_model_grades(named(options.judge, "--judge"), duplicates=options.duplicates)
    if len(read.golds) != 1:
        names = ", ".join(read.golds) or "none"
        raise ValueError(f"--judge must be the grades of one model, not of {len(read.golds)}: {names}.")
    return next(iter(read.golds.values())), [options.names.of(note) for note in read.notes]


def _grades_of_people(options: argparse.Namespace) -> pd.DataFrame | None:
    if options.human is None:
        return None
    people = named(options.human, "--human")
    if len(people) != 1:
        raise ValueError(f"--human must be one gold of people, not {len(people)}: {', '.join(people)}.")
    return read_qrels(next(iter(people.values())))


def _scale(options: argparse.Namespace, model: pd.DataFrame, people: pd.DataFrame | None) -> tuple[int, ...]:
    if options.scale:
        return declared(options.scale)
    known = model if people is None else pd.concat([model, people], ignore_index=True)
    return _undeclared_scale(known.assign(relevance=np.ceil(known["relevance"])))


def _listed(result: WhoJudges, size: int | None) -> pd.DataFrame:
    """The first pairs, or all. Grades that are whole numbers are shown as such."""
    pairs = result.pairs.head(len(result.pairs) if size is None else size)
    is_whole = bool((pairs["model_grade"] == np.rint(pairs["model_grade"])).all())
    return pairs.astype({"model_grade": np.int64}) if is_whole else pairs


def _json(result: WhoJudges, size: int | None) -> str:
    content = result.to_dict()
    content["pairs"] = content["pairs"][:size]
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _text(result: WhoJudges, notes: list[str], options: argparse.Namespace) -> str:
    listed = _listed(result, options.size or LISTED)
    parts = [*notes, result.summary()]
    if len(listed):
        parts += [f"The first {len(listed):,} of {len(result.pairs):,} pairs. {CHOSEN_BY_HAND}"]
    text = "\n\n".join(prose(part, options.form) for part in parts)
    return f"{text}\n\n{render(rounded(listed), options.form)}\n" if len(listed) else f"{text}\n"
