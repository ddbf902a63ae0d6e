"""Lines of Python and shell that make the figures of a page from its downloads."""

from collections.abc import Callable, Iterator
from shlex import quote
from typing import Any

from django.template import Context

from assess.collections.scale import scale_of

JUDGE = "judge:"  # the commands name judges without it

Command = tuple[str, str]  # "Python" or "Shell", and the lines


def commands_of(page: str, context: Context) -> Iterator[Command]:
    """Yield the commands of a page; none if no command makes its figures."""
    if page in COMMANDS and context.get("collection"):
        yield from COMMANDS[page](context["collection"].slug, context)


def _agreement(slug: str, context: Context) -> Iterator[Command]:
    file, rel = f"{slug}-judgements.csv", str(context.get("rel", ""))
    option, binary = (f" --rel {rel}", f".binary({rel})") if rel.isdigit() else ("", "")
    yield "Shell", f"assay kappa {quote(file)}{option}"
    yield (
        "Python",
        "from assay import Ratings, pairwise, read_judgements\n"
        f"judgements = read_judgements({file!r}, scale={scale_of(context['collection'])})\n"
        f"ratings = Ratings.from_judgements(judgements){binary}\n"
        "print(pairwise(ratings)[['assessor_a', 'assessor_b', 'pooled_kappa', 'n']])",
    )


def _shift(slug: str, context: Context) -> Iterator[Command]:
    shift: Any = context.get("shift")
    if shift is None:
        return
    file, measure, reference = f"{slug}-judgements.csv", str(shift.measure), str(shift.reference)
    judge = reference.removeprefix(JUDGE)
    combined = "" if judge != reference else f" --gold {quote(f'{reference}={slug}.qrels')}"
    options = f"{combined} --measure {quote(measure)} --reference {quote(judge)}"
    yield "Shell", f"assay shift --run runs/* --gold {quote(file)}{options}"
    yield (
        "Python",
        "from assay import make_gold, ranking_shift, read_judgements, read_runs\n"
        f"judgements = read_judgements({file!r}, scale={scale_of(context['collection'])}).judgements\n"
        f"golds = {{rule: make_gold(judgements, rule) for rule in {tuple(shift.golds)}}}\n"
        f"shift = ranking_shift(read_runs('runs/*'), golds, {measure!r})\n"
        "print(shift.summary())",
    )


COMMANDS: dict[str, Callable[[str, Context], Iterator[Command]]] = {"agreement": _agreement, "shift": _shift}
