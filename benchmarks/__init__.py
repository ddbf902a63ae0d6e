"""Each headline speed, measured side by side with its peers: `make bench`."""
