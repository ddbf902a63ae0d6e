"""Lets assessors claim the documents that a model ranks first, and adds those documents to the pool.

A document enters the pool when an assessor is about to claim it. One more follows, so that every topic with documents
left has something to claim (`spares`). Documents that other assessors have begun come first; otherwise no document
would get its second judge before the collection ends. Next are those that only a random sample brought into the pool,
in the order of drawing, because the model proposes others as long as it can.
"""

from collections.abc import Sequence

from assess.models import LearnerModel, Member, Proposal, Task
from assess.pools.learning.current import positions_in
from assess.pools.learning.enter_pool import enter_pool
from assess.pools.learning.next_documents import Free, next_documents
from assess.pools.learning.spares import SPARE
from assess.pools.samples.entered import unreached_documents
from assess.pools.tasks import claimable

RESERVE = 20  # tasks that are proposed besides the missing ones, in case others have locked some


class Proposer:
    """Proposes tasks of a topic to one assessor.

    Use it in the transaction of the claim, which has locked the collection: the claims of a topic wait for each other,
    so that each gets documents, and no pool is built at the same time.
    """

    def __init__(self, member: Member, model: LearnerModel):
        self._member, self._model = member, model
        self._positions = positions_in(model)
        self._sampled = unreached_documents(model.topic_id)

    def propose(self, missing: int) -> list[int]:
        """Return the keys of the next tasks of the assessor, and add these tasks to the pool."""
        free = self._free_tasks()
        begun = self._begun(free)
        chosen = set(begun)
        others = {document: place for document, place in free.items() if document not in chosen}
        new = next_documents(self._model, others, missing + SPARE - len(begun))
        entered = enter_pool(self._member.collection, self._model, [each for each in new if each not in free])
        tasks = {document: pk for document, (pk, _) in free.items()} | entered
        return [tasks[document] for document in begun + new if document in tasks][: missing + SPARE + RESERVE]

    def record(self, tasks: Sequence[Task]) -> None:
        """Record which documents the assessor got because of the model.

        Of the documents that only a sample brought into the pool, those are recorded that the model ranks above a
        document that is new to assessors: the review would have reached them before.
        """
        positions, sampled = self._positions, self._sampled
        known = [task for task in tasks if task.document_id in positions and task.document_id not in sampled]
        last = max((positions[task.document_id] for task in known if not task.taken), default=-1)
        documents = [task.document_id for task in known]
        documents += (document for document in sampled if positions.get(document, last) < last)
        proposals = [Proposal(model=self._model, document_id=each, position=positions[each]) for each in documents]
        Proposal.objects.bulk_create(proposals, ignore_conflicts=True)  # also proposed to others, or when it entered

    def _free_tasks(self) -> Free:
        tasks = claimable(self._member, self._model.topic).order_by("pk")
        return {document: (pk, taken) for document, pk, taken in tasks.values_list("document", "pk", "taken")}

    def _begun(self, free: Free) -> list[int]:
        """Return the free documents that others have begun, then those that only a sample brought into the pool."""
        begun = (document for document, (_, taken) in free.items() if taken)
        in_order = sorted(begun, key=lambda document: self._positions.get(document, -1))
        return in_order + [document for document in self._sampled if document in free and not free[document][1]]
