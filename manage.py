#!/usr/bin/env python
"""The `assay` command for a checkout: `python manage.py help`. Its data are in var/ unless another place is named."""

import sys

from assay.cli import main

if __name__ == "__main__":
    sys.exit(main(prog="manage.py", use_checkout=True))
