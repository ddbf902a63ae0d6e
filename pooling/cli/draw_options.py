"""The options of `assay draw`."""

import argparse

from pooling.choices import DRAW_STRATA, TABLE_STYLES


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
