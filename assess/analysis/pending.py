"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from collections.abc import Callable, Container
from typing import Any

from django.utils.module_loading import import_string

from agreement.choices import ESTIMATING, PEOPLE
from assess.analysis.selection import MACE, Selection
from assess.analysis.shift_query import ShiftInputs
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Exercise, Judgement, Role, User

# A page may take 0.2 s, and a tenth of a second of this computes figures. `benchmarks.desk_pages` measures the pages.
RUN_LINES_AT_ONCE = 25_000
JUDGEMENTS_AT_ONCE = 5_000
RATINGS_OF_PAIRS_AT_ONCE = 150_000  # judgements times judges
JUDGEMENTS_OF_GOLDS_AT_ONCE = 50_000  # judgements times golds
JUDGEMENTS_OF_DAWID_SKENE_AT_ONCE = 2_000  # if the estimates do not converge
JUDGEMENTS_OF_MACE_AT_ONCE = 300  # because it starts ten times
JUDGEMENTS_HELD_OUT_AT_ONCE = 40  # each rule makes five golds
GOLDS_AT_ONCE = 16
MOST_DRAWN_GOLDS = 24  # in a heat map that is drawn at once
OF_KNOWN_SHIFT = ("swaps", "differences", "heat_map")  # whose pages show the shift itself first
USUAL_GOLDS = 4  # union, intersection, majority and perhaps adjudicated
CLASS_SECONDS = 120  # the figures of a class contain nicknames
AGREEMENT_PAGES = {
    "agreement": "assess.analysis.agreement.agreement_figures",
    "golds": "assess.analysis.judges.held_out.golds_figures",
    "topics": "assess.analysis.agreement.topics_frame",
    "judges": "assess.analysis.judges.habits.judges_figures",
    "time": "assess.analysis.judges.time.time_figures",
}


def shift_or_pending(collection: Collection, user: User, inputs: ShiftInputs) -> Any:
    """Return the ranking shift, or raise Pending if computing it takes more than a moment."""
    return _known_shift(collection, user, inputs).with_thresholds(inputs.thresholds)


def _known_shift(collection: Collection, user: User, inputs: ShiftInputs) -> Any:
    from assess.analysis.shift.ranking import chosen_runs, shift_key, shift_of  # loads pandas

    key = shift_key(_state(collection, chosen_runs(collection, inputs)), inputs)
    if (result := results.get(key)) is not None:
        return result
    if is_small_for_shift(collection, inputs):
        return shift_of(collection, inputs)
    return known_or_pending("shift", collection, user, key, inputs.to_json())


def part_or_pending(name: str, collection: Collection, user: User, inputs: ShiftInputs, **options: Any) -> Any:
    """Return a part of the shift pages, such as the leverage of documents, or raise Pending if it takes long.

    `name` is a key of `assess.analysis.shift.parts.PARTS`, and `options` are the arguments of its function.
    """
    from assess.analysis.shift import parts  # loads pandas
    from assess.analysis.shift.ranking import chosen_runs

    key = parts.part_key(name, _state(collection, chosen_runs(collection, inputs)), inputs, options)
    if (result := results.get(key)) is not None:
        return result
    if _is_small_for_part(name, collection, inputs, options):
        return parts.keep_part(name, collection, key, inputs, options)
    arguments = {"name": name, "inputs": inputs.to_json(), "options": options}
    return known_or_pending(f"shift_{name}", collection, user, key, arguments)


def kept_drawing(collection: Collection, key: str, draw: Callable[[], Any]) -> Any:
    """Return a drawing of the shift pages from the cache of results, or draw it and store it there."""
    from assess.analysis.shift.ranking import seconds_kept  # loads pandas

    if (drawing := results.get(key)) is None:
        drawing = draw()
        results.keep(key, drawing, seconds_kept(collection))
    return drawing


def agreement_or_pending(
    collection: Collection, user: User, page: str, selection: Selection, reference: str | None = None
) -> Any:
    """Return the figures of one of the agreement pages, or raise Pending if computing them takes more than a moment.

    `page` is a key of `AGREEMENT_PAGES`.
    """
    from assess.analysis.agreement import agreement_key  # loads pandas

    key = agreement_key(collection, selection, page, reference)
    if (result := results.get(key)) is not None:
        return result
    if is_small_for_agreement(collection, reference, page):
        return _compute_page(collection, key, page, selection, reference)
    arguments = {"page": page, "selection": selection.to_input(), "reference": reference}
    return known_or_pending("agreement", collection, user, key, arguments)


def compute_shift(collection: Collection, key: str, **inputs: Any) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift.ranking import shift_of  # loads pandas

    shift_of(collection, ShiftInputs.from_json(inputs))
    return Started(key)


def compute_part(
    collection: Collection, key: str, name: str, inputs: dict[str, Any], options: dict[str, Any]
) -> Started:
    """Compute a part of the shift pages for the cache of results: the function of its job."""
    from assess.analysis.shift import parts  # loads pandas

    parts.keep_part(name, collection, key, ShiftInputs.from_json(inputs), options)
    return Started(key)


def compute_agreement(
    collection: Collection, key: str, page: str, selection: dict[str, Any], reference: str | None
) -> Started:
    """Compute the figures of an agreement page for the cache of results: the function of the job `agreement`."""
    _compute_page(collection, key, page, Selection.from_input(selection), reference)
    return Started(key)


def _compute_page(collection: Collection, key: str, page: str, selection: Selection, reference: str | None) -> Any:
    figures = import_string(AGREEMENT_PAGES[page])(collection, selection, reference)
    is_class = Exercise.objects.filter(collection=collection).exists()
    results.keep(key, figures, CLASS_SECONDS if is_class else results.SECONDS)
    return figures


def _state(collection: Collection, runs: Any) -> tuple[Any, ...]:
    from assess.analysis.data import judgements_state  # loads pandas

    return judgements_state(collection, runs)


def is_small_for_shift(collection: Collection, inputs: ShiftInputs) -> bool:
    """Whether there are few lines of runs, and few golds to derive and to compare with each other."""
    judgements, golds = _judgements(collection), _golds(collection, inputs)
    return (
        _run_lines(collection) <= RUN_LINES_AT_ONCE
        and judgements <= JUDGEMENTS_AT_ONCE
        and judgements * golds <= JUDGEMENTS_OF_GOLDS_AT_ONCE
        and golds <= GOLDS_AT_ONCE
        and is_small_for_golds(judgements, inputs.rules)
    )


def _golds(collection: Collection, inputs: ShiftInputs) -> int:
    return len(inputs.rules) or _judges(collection) + USUAL_GOLDS


def is_small_for_golds(judgements: int, rules: Container[str | None]) -> bool:
    """Whether there are few judgements, if a rule estimates the errors of the judges again and again."""
    used = {rule for rule in ESTIMATING if rule in rules or f"{PEOPLE}{rule}" in rules}
    most = JUDGEMENTS_OF_MACE_AT_ONCE if MACE in used else JUDGEMENTS_OF_DAWID_SKENE_AT_ONCE
    return not used or judgements <= most


def _is_small_for_part(name: str, collection: Collection, inputs: ShiftInputs, options: dict[str, Any]) -> bool:
    """Whether a part takes less than a moment, by what its time grows with."""
    if name not in OF_KNOWN_SHIFT and not is_small_for_shift(collection, inputs):
        return False
    runs = collection.runs.all()
    systems, judgements = len(runs), _judgements(collection)
    costs = {  # with numbers that take about a tenth of a second
        "leverage": (systems * judgements, 80_000),
        "swap": (judgements, 100),
        "swaps": (systems**2, 2_000),
        "differences": (systems**2, 100 if options.get("test") in ("randomisation", "tukey") else 2_000),
        "mixed": (systems**2 * judgements, 20_000),
        "intervals": (systems * judgements, 100_000),
        "correlations": (_golds(collection, inputs) * systems**2, 200),
        "heat_map": (_golds(collection, inputs), MOST_DRAWN_GOLDS),
        "leaderboard": (len(options.get("measures", ())) * _run_lines(collection), RUN_LINES_AT_ONCE),
        "measures": (len(options.get("measures", ())) * _run_lines(collection), RUN_LINES_AT_ONCE),
    }
    cost, most = costs[name]
    return cost <= most


def _run_lines(collection: Collection) -> int:
    return sum(run.line_count for run in collection.runs.all())


def _judgements(collection: Collection) -> int:
    return Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR, repeat=0).count()


def _judges(collection: Collection) -> int:
    return collection.members.filter(role=Role.ASSESSOR).count()


def is_small_for_agreement(collection: Collection, reference: str | None, page: str) -> bool:
    """Whether few judgements are compared: each is compared with those of all other judges."""
    judgements = _judgements(collection)
    is_small = judgements * _judges(collection) <= RATINGS_OF_PAIRS_AT_ONCE
    if page == "golds":
        return judgements <= JUDGEMENTS_HELD_OUT_AT_ONCE
    return is_small and is_small_for_golds(judgements, (reference,))
