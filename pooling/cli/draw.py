"""The command `assay draw`: draw the pairs that people grade, and record their inclusion probabilities.

The command prints the design in a sentence and a table before anybody grades: the strata with their pairs, how many are
drawn, and for how many pairs a grade stands. `--out` writes the draw (`pooling.draws.files`), `--tsv` the drawn pairs.

Invalid input exits with code 2 and a one-sentence error on stderr, before anything is written.
"""

import argparse
import sys
from pathlib import Path

from pooling.choices import DRAW_STRATA, TABLE_STYLES
from pooling.option_names import OptionNames

MOST_ROWS = 30  # of the table that is printed


def main(arguments: list[str] | None = None, prog: str = "python -m pooling.cli.draw") -> int:
    """Run the command."""
    parser = build_parser(prog)
    options = parser.parse_args(arguments)
    try:
        refuse_unused_options(options)
        _refuse_outputs(options)
        sys.stdout.write(_draw(options))
    except (ValueError, OSError) as problem:
        sentence = str(problem)
        if isinstance(problem, OSError) and problem.filename:
            sentence = f"{problem.filename}: {problem.strerror}"
        sys.stderr.write(f"{prog}: {OptionNames.of_parser(parser).of(sentence)}\n")
        return 2
    return 0


def _draw(options: argparse.Namespace) -> str:
    from pooling.cli.draw_design import described, drawn  # load pandas, which --help does not need
    from pooling.draws.files import draw_text
    from pooling.draws.tables import pairs_text
    from pooling.pools.files import write_whole

    draw = drawn(options)
    if options.out is not None:
        write_whole(options.out, draw_text(draw).encode())
    if options.tsv is not None:
        write_whole(options.tsv, pairs_text(draw).encode())
    return described(draw, options.style, MOST_ROWS)


def _refuse_outputs(options: argparse.Namespace) -> None:
    """Raise ValueError if an output cannot be written, or is an input or the other output."""
    inputs = [options.pool, options.pairs, options.model, options.poisson, options.sample, *(options.run or [])]
    taken = {Path(path).resolve() for path in inputs if path is not None}
    for out in (options.out, options.tsv):
        if out is None:
            continue
        path = Path(out)
        if path.is_dir():
            raise ValueError(f"{path}: this is a folder; choose a file")
        if not path.absolute().parent.is_dir():
            raise ValueError(f"{path}: the folder {path.parent} does not exist")
        if path.resolve() in taken:
            raise ValueError(f"{path}: this is one of the inputs or the other output; choose another file")
        taken.add(path.resolve())


def build_parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the command called `prog`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Draw the pairs that people grade, at random, with recorded probabilities. Without --out and "
        "--tsv, print the design only.",
    )
    parser.set_defaults(prog=prog)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--pool", metavar="POOL.json", help="draw from all documents of this pool")
    source.add_argument(
        "--pairs", metavar="FILE", help="draw from these pairs: qrels, or a table with the columns query_id and doc_id"
    )
    _add_design(parser.add_argument_group("design"))
    _add_sample(parser.add_argument_group("a draw that exists: record the sample of random, stratified or ask_people"))
    parser.add_argument("--out", metavar="DRAW.json", help="write the draw to this file")
    parser.add_argument(
        "--tsv", metavar="FILE.tsv", help="write the drawn pairs to this file, in random order within a topic"
    )
    parser.add_argument("--style", choices=TABLE_STYLES, default=TABLE_STYLES[0], help="output format (default: plain)")
    return parser


def _add_design(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--size",
        type=int,
        metavar="N",
        help="pairs of each stratum; with --poisson, expected pairs in total, in proportion to the numbers",
    )
    group.add_argument(
        "--by",
        nargs="+",
        choices=DRAW_STRATA,
        metavar="WHAT",
        help=f"the strata: {', '.join(DRAW_STRATA)}; several divide each other (default: topic)",
    )
    group.add_argument("--model", metavar="FILE", help="grades of a model for --by grade: qrels or a table")
    group.add_argument("--topics", type=int, metavar="N", help="draw N topics first, and then pairs in these only")
    group.add_argument(
        "--poisson",
        metavar="FILE",
        help="draw each pair by itself: a table with a probability for each pair, or a gain if there is --size",
    )
    group.add_argument(
        "--tau", type=float, metavar="X", help="for --poisson: the share drawn from all pairs alike (default: 0.1)"
    )
    group.add_argument("--seed", type=int, metavar="N", help="seed of the random numbers; required for a new draw")


def _add_sample(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--sample", metavar="POOL.json", help="the pool that was drawn out of --pool")
    group.add_argument(
        "--run", nargs="+", action="extend", metavar="FILE", help="the run files, which a sample of ask_people needs"
    )


def refuse_unused_options(options: argparse.Namespace) -> None:
    """Raise ValueError for options that contradict each other or have no effect, and for missing ones."""
    if options.sample is not None:
        _check_sample(options)
        return
    if options.run is not None:
        raise ValueError("--run needs --sample")
    if options.seed is None:
        raise ValueError("a new draw needs --seed N")
    _check_design(options)
    _check_strata(options, options.by or [])


def _check_design(options: argparse.Namespace) -> None:
    if options.poisson is None:
        if options.size is None:
            raise ValueError("a draw needs --size N, the pairs of each stratum, or --poisson FILE")
        if options.tau is not None:
            raise ValueError("--tau needs --poisson")
    elif options.topics is not None:
        raise ValueError("--topics draws a fixed number of each stratum and cannot be combined with --poisson")


def _check_strata(options: argparse.Namespace, by: list[str]) -> None:
    if "all" in by and len(by) > 1:
        raise ValueError("--by all is one stratum and cannot be combined with others")
    if options.model is not None and "grade" not in by:
        raise ValueError("--model needs --by grade")
    if "grade" in by and options.model is None and options.pairs is None:
        raise ValueError("--by grade needs --model FILE, the grades of a model")


def _check_sample(options: argparse.Namespace) -> None:
    if options.pool is None:
        raise ValueError("--sample needs --pool, the pool of all documents out of which it was drawn")
    names = ("size", "by", "model", "topics", "poisson", "tau", "seed")
    if given := [name for name in names if getattr(options, name) is not None]:
        raise ValueError(f"--{given[0]} cannot be combined with --sample, which is drawn already")
