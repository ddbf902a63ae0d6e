"""manage.py lacking_documents --collection NAME"""

from assess import pools
from assess.management.base import CollectionCommand


class Command(CollectionCommand):
    help = "List the doc_ids of the pooled documents whose text is still asked for, one a line."

    def work(self, collection, **_):
        self.say(*pools.lacking(collection))
