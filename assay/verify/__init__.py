"""`assay verify FILE`: checks a release, a backup or exported judgements offline, without a database."""

from assay.verify.command import main

__all__ = ["main"]
