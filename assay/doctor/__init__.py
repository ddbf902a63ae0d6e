"""`assay doctor`: checks the installation, the data directory and the database."""

from assay.doctor.command import main

__all__ = ["main"]
