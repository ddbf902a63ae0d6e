"""assay set_guidelines --collection NAME FILE"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from assess.collections.guidelines import publish_guidelines
from assess.management.base import CollectionCommand
from assess.management.guidelines_file import read_guidelines
from assess.models import Collection


class Command(CollectionCommand):
    help = "Publish guidelines (Markdown) as a new version. Each judgement records the version that was shown."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path)

    def handle_collection(self, collection: Collection, *, file: Path, **_: Any) -> None:
        latest = collection.guidelines.last()
        published = publish_guidelines(collection, read_guidelines(file))
        if latest and latest.version == published.version:
            self.write_lines(f"Version {published.version} of {collection} already has this text; nothing was changed.")
        else:
            self.write_lines(
                f"Published version {published.version} for {collection}. Pages opened from now on show it."
            )
