"""The commands `kappa`, `shift`, `topics`, `mix`, `trust`, `compare_golds` and `check`.

They run as `python -m agreement kappa ...` and as `assay kappa ...`; the argument `prog` is the name that usage texts,
errors and manifests show. Invalid input exits with code 2 and a one-sentence error on stderr, before any file is
written. The error names options of the command, not arguments of the library.
"""

import sys
from importlib import import_module

from agreement.cli.parsers import parser


def main(arguments: list[str] | None = None, prog: str = "python -m agreement") -> int:
    """Run a command."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parser(prog).parse_args(arguments)
    options.prog, options.arguments = prog, arguments
    try:
        command = import_module(f"agreement.cli.{options.run_command}")  # loads pandas, which --help does not need
        sys.stdout.write(getattr(command, options.run_command)(options))
    except (ValueError, OSError) as problem:
        sys.stderr.write(f"{prog}: {options.names.of(_message(problem))}\n")
        return 2
    return getattr(options, "exit_code", 0)


def _message(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)
