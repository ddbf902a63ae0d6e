"""The command: reads the file, prints what was checked, what differs, and what could not be checked.

Exit codes: 0 if nothing differs, 1 if something does, 2 if the arguments are invalid or the file is none of these.
"""

import argparse
import json
import sys
from pathlib import Path

FORMATS = ("release", "backup", "judgements")
DESCRIPTION = (
    "Check a release, a backup or exported judgements without the database that they are from: checksums, the gold and "
    "the agreement computed again from the judgements in the file, and the shift with your copies of the runs. Prints "
    "what could not be checked, and the head of the ledger. The exit code is 1 if something differs."
)


def parser(prog: str) -> argparse.ArgumentParser:
    """Return the parser of the command."""
    options = argparse.ArgumentParser(prog=f"{prog} verify", description=DESCRIPTION)
    options.add_argument("file", metavar="FILE", help="a release (zip file or folder), a backup, or judgements as CSV")
    options.add_argument(
        "--run", nargs="+", action="extend", default=[], metavar="FILE", help="your copies of the runs, or a pattern"
    )
    options.add_argument(
        "--head",
        metavar="HASH",
        help="a hash that was kept outside the database: of a checkpoint of the ledger, or of the manifest of a "
        "release; its first 8 digits or more",
    )
    forms = options.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print the result as JSON")
    forms.add_argument("--markdown", action="store_true", help="print the result as Markdown")
    options.add_argument("--out", metavar="FILE", help="also write a report as HTML, with the head as a QR code")
    return options


def main(arguments: list[str], prog: str) -> int:
    """Run the command and return its exit code."""
    options = parser(prog).parse_args(arguments)
    from assay.verify.files import verify_file  # loads pandas, which --help does not need
    from assay.verify.runs import UnreadableCopy
    from assess.errors import Refused

    try:
        report = verify_file(Path(options.file), options.run, options.head)
        if options.out:
            from assay.verify.html import html_report

            Path(options.out).write_text(html_report(report), encoding="utf-8")
    except (Refused, UnreadableCopy, ValueError, OSError) as problem:
        print(f"{prog} verify: {_message(problem)}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(report.to_dict(), indent=2, ensure_ascii=False))
    else:
        print(report.markdown() if options.markdown else report.text(), end="")
    return 1 if report.differences else 0


def _message(problem: Exception) -> str:
    if isinstance(problem, OSError) and problem.filename:
        return f"{problem.filename}: {problem.strerror}"
    return str(problem)
