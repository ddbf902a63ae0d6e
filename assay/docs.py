"""`assay docs`: opens the documentation in the browser, from the files that came with the installation."""

import argparse
import sys
import webbrowser
from pathlib import Path

FIRST_PAGE = Path(__file__).resolve().parent / "documentation" / "index.html"


def main(arguments: list[str], prog: str) -> int:
    """Open or print the first page; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog=f"{prog} docs", description="Open the documentation in the browser. It is on this computer."
    )
    parser.add_argument("--print", action="store_true", dest="only_print", help="print its path and open nothing")
    only_print = parser.parse_args(arguments).only_print
    if not FIRST_PAGE.is_file():
        print(f"{prog}: This installation has no documentation. Run `make docs` in a checkout.", file=sys.stderr)
        return 1
    if only_print:
        print(FIRST_PAGE)
    elif not webbrowser.open(FIRST_PAGE.as_uri()):
        print(f"{prog}: No browser could be opened. The documentation is {FIRST_PAGE}.", file=sys.stderr)
        return 1
    return 0
