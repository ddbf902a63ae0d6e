"""`assay check FILE ...`: what is wrong with files that belong together, before anything is computed from them.

The exit code is 0 if there is neither an error nor a warning, 1 if there is, and 2 if the arguments are invalid.
"""

import argparse
import json

from agreement.cli.options import one_or_named
from agreement.file_checks import check_files
from agreement.file_checks.reading import KINDS
from agreement.judge_files.options import parse_mapping


def check(options: argparse.Namespace) -> str:
    """Check the files and return the report; `options.exit_code` becomes 1 if there is an error or a warning."""
    stated = {kind: getattr(options, kind) for kind in KINDS}
    mapping = one_or_named(options.map, "--map", parse_mapping)
    given = {"columns": options.columns, "field": options.field, "listed_relevant": options.listed_relevant}
    checks = check_files(options.files, mapping=mapping, **given, **stated)
    options.exit_code = 0 if checks.is_clean else 1
    return json.dumps(checks.to_dict(), indent=2, ensure_ascii=False) + "\n" if options.json else checks.text()
