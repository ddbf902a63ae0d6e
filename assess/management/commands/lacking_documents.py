"""manage.py lacking_documents --collection NAME"""

from assess.management.base import CollectionCommand
from assess.pools.build import missing_documents


class Command(CollectionCommand):
    help = "List the doc_ids of the pooled documents whose text is still asked for, one a line."

    def work(self, collection, **_):
        self.say(*missing_documents(collection))
