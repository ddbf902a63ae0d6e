"""Run the command line: `python -m agreement kappa|shift|mix ...`; see `agreement.cli.main`."""

import sys

from agreement.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
