"""manage.py lacking_documents --collection NAME"""

from assess.management.base import CollectionCommand
from assess.pools import build as pools


class Command(CollectionCommand):
    help = "List the doc_ids of the pooled documents whose text is still asked for, one a line."

    def work(self, collection, **_):
        self.say(*pools.lacking(collection))
