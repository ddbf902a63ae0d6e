"""manage.py set_guidelines --collection NAME FILE: a new version of what assessors are told."""

from pathlib import Path

from assess.collections.guidelines import publish_guidelines
from assess.management.base import CollectionCommand
from assess.management.guidelines_file import text_of


class Command(CollectionCommand):
    help = "Publish guidelines (Markdown) as a new version; judgements name the version that was shown."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("file", type=Path)

    def work(self, collection, *, file, **_):
        before = collection.guidelines.last()
        published = publish_guidelines(collection, text_of(file))
        if before and before.version == published.version:
            self.say(f"{collection} has this text already, as version {published.version}.")
        else:
            self.say(f"Guidelines of {collection}: version {published.version}, shown from the next page on.")
