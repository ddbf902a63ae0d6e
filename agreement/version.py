"""The version of Assay; `pyproject.toml` reads it here."""

VERSION = "0.1.0"
