"""assay replay_learner --collection NAME"""

from typing import Any

from assess.errors import Refused
from assess.management.base import CollectionCommand
from assess.models import Collection
from pooling.words import count


class Command(CollectionCommand):
    help = (
        "Train every recorded model of strategy cal again, and compare its proposals with those that assessors got. "
        "The documents must be those of the time."
    )

    def handle_collection(self, collection: Collection, **_: Any) -> None:
        from assess.pools.learning.replay import replay_learner  # loads pandas

        total = sum(topic.learner_models.count() for topic in collection.topics.all())
        if not total:
            raise Refused(f"No learner has proposed documents in {collection} yet.")
        result = replay_learner(collection)
        if result.problems:
            differing = total - result.same_models
            verb = "differs" if differing == 1 else "differ"
            raise Refused(f"{differing} of {count(total, 'model')} {verb} or cannot be repeated. {result.problems[0]}")
        models, proposals = count(result.models, "model"), count(result.proposals, "proposal")
        self.write_lines(f"Repeated {models} and {proposals}. All are the same.")
