"""The options of `python -m pooling`."""

import argparse
from typing import Any

from pooling.choices import SCORE_PRECISIONS, STRATEGY_NAMES

REL = 1
PARAMETERS = ("size", "budget", "depth", "k", "p", "strata", "tau", "gain")


def build_parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the command called `prog`; the parsed options repeat the name as `options.prog`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Choose the documents to judge: read run files and write a pool as JSON.",
        epilog="Each strategy takes some of the parameters. If one is missing or unknown, the error message names it.",
    )
    parser.set_defaults(prog=prog)
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run files, one per system; or patterns such as 'runs/*.gz'"
    )
    parser.add_argument("--strategy", metavar="NAME", help=f"{', '.join(STRATEGY_NAMES)} (default: depth)")
    parser.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores as trec_eval before version 10 did (default: float64)",
    )
    add_parameters(parser.add_argument_group("parameters of the strategies"))
    parser.add_argument("--judged", metavar="QRELS", help="existing judgements; the pool leaves these documents out")
    parser.add_argument("--out", metavar="FILE", help="write the pool to this file (default: standard output)")
    _add_report(parser)
    _add_replay(parser)
    return parser


def _add_report(parser: argparse.ArgumentParser) -> None:
    report = parser.add_argument_group("report: coverage of the pool, or of the runs without --strategy and --out")
    report.add_argument(
        "--report", action="store_true", help="print the report; runs are read to --depth (default: 100)"
    )
    report.add_argument(
        "--qrels",
        metavar="QRELS",
        help="judgements; the report adds the share judged and the unique relevant documents",
    )
    parser.add_argument("--rel", type=int, metavar="GRADE", help="the lowest relevant grade in QRELS (default: 1)")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    replay = parser.add_argument_group("replay: relevant documents that each strategy would have found; writes no pool")
    replay.add_argument(
        "--replay",
        metavar="QRELS",
        help="judgements to replay; limit them with --size (per topic) or --budget (in total)",
    )
    replay.add_argument(
        "--best-topic",
        action="store_true",
        help="give each judgement of --budget to the topic of which the strategy expects most; only for strategies that"
        " choose runs, such as maxmean and move_to_front",
    )
    replay.add_argument("--figure", metavar="FILE.svg", help="plot relevant documents found by number of judgements")


def parameters_of(options: argparse.Namespace) -> dict[str, Any]:
    """The strategy parameters among the options."""
    return {name: getattr(options, name) for name in PARAMETERS if getattr(options, name) is not None}


def rel_of(options: argparse.Namespace) -> int:
    """The lowest relevant grade."""
    return REL if options.rel is None else options.rel


def refuse_unused_options(options: argparse.Namespace) -> None:
    """Raise ValueError for options that have no effect, and for an invalid grade."""
    if options.figure is not None and options.replay is None:
        raise ValueError("--figure needs --replay QRELS")
    if options.best_topic and (options.replay is None or options.budget is None):
        raise ValueError("--best-topic needs --replay QRELS and --budget N")
    if options.judged is not None and (options.replay is not None or (options.report and _makes_no_pool(options))):
        raise ValueError("--judged needs a pool: it cannot be combined with --replay, or --report without --strategy")
    if options.qrels is not None and (options.replay is not None or not options.report):
        raise ValueError("--qrels needs --report and cannot be combined with --replay, which takes its own QRELS")
    if options.rel is None:
        return
    if options.replay is None and options.qrels is None:
        raise ValueError("--rel needs judgements: --replay QRELS or --report --qrels QRELS")
    from pooling.ranking import check_whole  # loads pandas, which --help does not need

    check_whole("--rel", options.rel)


def _makes_no_pool(options: argparse.Namespace) -> bool:
    """Whether a report describes only the runs."""
    return options.strategy is None and options.out is None


def add_parameters(group: argparse._ArgumentGroup) -> None:
    """Add the options of all strategies to a group of a parser."""
    group.add_argument("--size", type=int, metavar="N", help="documents per topic")
    group.add_argument("--budget", type=int, metavar="N", help="documents in total, over all topics")
    group.add_argument("--depth", type=int, metavar="N", help="number of ranks to use from each run")
    group.add_argument("--k", type=int, metavar="N", help="for rrf: smoothing constant (default: 60)")
    group.add_argument("--p", type=float, metavar="X", help="for rbp: persistence, between 0 and 1 (default: 0.8)")
    group.add_argument(
        "--stratum",
        type=_stratum,
        action="append",
        dest="strata",
        metavar="RANK:RATE",
        help="for stratified: last rank and sampling rate of a stratum, such as 10:1.0; repeatable, from the top",
    )
    group.add_argument(
        "--tau", type=float, metavar="X", help="for ask_people: share drawn from all documents alike (default: 0.1)"
    )
    group.add_argument(
        "--gain",
        type=_gains,
        metavar="FILE",
        help="for ask_people: a table with the columns query_id, doc_id and gain (default: gains from the ranks)",
    )
    group.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of random samples, for which it is required, and of the lots that decide between tied documents"
        " (default: 0)",
    )


def _gains(path: str) -> dict[str, dict[str, float]]:
    from pooling.draws.tables import read_gains  # loads pandas, which --help does not need

    try:
        return read_gains(path)
    except (ValueError, OSError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _stratum(text: str) -> tuple[int, float]:
    end, _, rate = text.partition(":")
    try:
        return int(end), float(rate)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not RANK:RATE, such as 10:1.0") from None
