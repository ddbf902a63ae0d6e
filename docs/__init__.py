"""The documentation site: its pages, and the code that builds it (`python -m docs.build`)."""
