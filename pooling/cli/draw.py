"""The command `assay draw`: draw the pairs that people grade, and record their inclusion probabilities.

The command prints the design in a sentence and a table before anybody grades: the strata with their pairs, how many are
drawn, and for how many pairs a grade stands. `--out` writes the draw (`pooling.draws.files`), `--tsv` the drawn pairs.

Invalid input exits with code 2 and a one-sentence error on stderr, before anything is written.
"""

import argparse
import sys
from pathlib import Path

from pooling.cli.draw_options import build_parser, refuse_unused_options
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
