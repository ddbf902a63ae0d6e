"""The options of `python -m pooling`."""

import argparse

from pooling.ranking import check_whole
from pooling.strategies import STRATEGIES
from pooling.trec import SCORE_PRECISIONS

REL = 1
PARAMETERS = ("size", "budget", "depth", "k", "p", "strata")


def build_parser(prog: str) -> argparse.ArgumentParser:
    """The parser of the command called `prog`; the parsed options repeat the name as `options.prog`."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Choose the documents to judge: read run files and write a pool as JSON.",
        epilog="Each strategy takes some of the parameters. A missing or unknown parameter is an error that names it.",
    )
    parser.set_defaults(prog=prog)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run files, each of another system")
    parser.add_argument("--strategy", metavar="NAME", help=f"{', '.join(STRATEGIES)} (depth)")
    parser.add_argument(
        "--score-precision",
        choices=SCORE_PRECISIONS,
        default=SCORE_PRECISIONS[0],
        help="float32 reads scores as trec_eval did before version 10 (float64)",
    )
    _add_parameters(parser.add_argument_group("parameters of the strategies"))
    parser.add_argument("--out", metavar="FILE", help="where the pool goes (to the standard output)")
    report = parser.add_argument_group("report: what a pool covers; without --strategy and --out, what the runs do")
    report.add_argument("--report", action="store_true", help="print it; of the runs to --depth (100)")
    report.add_argument("--qrels", metavar="QRELS", help="judgements: adds what is judged, and who found it alone")
    parser.add_argument("--rel", type=int, metavar="GRADE", help="with --qrels or --replay: relevant from this (1)")
    replay = parser.add_argument_group("replay: what each strategy would have found; no pool is made")
    replay.add_argument("--replay", metavar="QRELS", help="judgements; --size or --budget is what is spent of them")
    replay.add_argument("--figure", metavar="FILE.svg", help="relevant documents found against judgements spent")
    return parser


def parameters_of(options: argparse.Namespace) -> dict:
    """The parameters of a strategy that were given."""
    return {name: getattr(options, name) for name in PARAMETERS if getattr(options, name) is not None}


def rel_of(options: argparse.Namespace) -> int:
    """The grade from which a document is relevant."""
    return REL if options.rel is None else options.rel


def refuse_unused_options(options: argparse.Namespace) -> None:
    """Refuse options that would change nothing, and a grade that is none."""
    if options.figure is not None and options.replay is None:
        raise ValueError("--figure draws what is replayed; give --replay QRELS, too, or leave it out")
    if options.qrels is not None and (options.replay is not None or not options.report):
        raise ValueError("--qrels is for --report; give --report, too, or leave it out (--replay takes its own QRELS)")
    if options.rel is None:
        return
    if options.replay is None and options.qrels is None:
        raise ValueError(
            "--rel tells which judgements are relevant; give --replay QRELS or --report --qrels QRELS, too"
        )
    check_whole("--rel", options.rel)


def _add_parameters(group) -> None:
    group.add_argument("--size", type=int, metavar="N", help="documents of each topic")
    group.add_argument("--budget", type=int, metavar="N", help="documents over all topics")
    group.add_argument("--depth", type=int, metavar="N", help="ranks of each run that are looked at")
    group.add_argument("--k", type=int, metavar="N", help="of rrf: the larger, the less the top counts (60)")
    group.add_argument("--p", type=float, metavar="X", help="of rbp: persistence, between 0 and 1 (0.8)")
    group.add_argument(
        "--stratum",
        type=_stratum,
        action="append",
        dest="strata",
        metavar="RANK:RATE",
        help="of stratified: a layer's last rank and the part taken of it, such as 10:1.0; repeatable, from the top",
    )
    group.add_argument("--seed", type=int, metavar="N", help="of what is left to chance")


def _stratum(text: str) -> tuple[int, float]:
    end, _, rate = text.partition(":")
    try:
        return int(end), float(rate)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no RANK:RATE, such as 10:1.0") from None
