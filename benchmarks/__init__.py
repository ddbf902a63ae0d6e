"""Each headline speed, measured side by side with its peers: `make bench`."""

from benchmarks import tiny

tiny.set_up()
