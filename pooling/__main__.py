"""`python -m pooling` runs the command line in `pooling.cli.main`."""

import sys

from pooling.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
