"""Repeats all trainings of a collection's learner and compares their proposals with the recorded ones."""

from dataclasses import dataclass, field

from assess.lib.long_work import reported
from assess.models import Collection, LearnerModel, Proposal
from assess.pools.learning.learner import Documents, documents_of, learn
from assess.pools.learning.train import judged_by_doc_id


@dataclass(frozen=True)
class ReplayResult:
    """How many models and proposals were repeated, and a sentence about each that differs or cannot be repeated.

    `same_models` of the repeated ones gave the recorded ranking and proposals.
    """

    models: int
    proposals: int
    same_models: int
    problems: list[str] = field(default_factory=list)


def replay_learner(collection: Collection) -> ReplayResult:
    """Train each recorded model again from what it had learned from, and compare its ranking and its proposals."""
    models = list(LearnerModel.objects.filter(topic__collection=collection).select_related("topic").order_by("pk"))
    documents: dict[int, Documents] = {}
    repeated, proposals, same, problems = 0, 0, 0, []
    for model in reported(models, "Training the models again"):
        if model.last_document not in documents:
            documents = {model.last_document: documents_of(collection, model.last_document)}
        if reason := _obstacle(model, documents[model.last_document]):
            problems.append(f"Topic {model.topic.query_id}, version {model.version} cannot be repeated: {reason}")
            continue
        repeated += 1
        checked, differing = _compare(collection, model, documents[model.last_document])
        proposals += checked
        same += not differing
        problems += [f"Topic {model.topic.query_id}, version {model.version}: {sentence}" for sentence in differing]
    return ReplayResult(repeated, proposals, same, problems)


def _obstacle(model: LearnerModel, documents: Documents) -> str:
    if model.judged is None:
        return "judgements that it learned from were erased."
    if model.documents_hash != documents.hash:
        return "documents have changed since."
    return ""


def _compare(collection: Collection, model: LearnerModel, documents: Documents) -> tuple[int, list[str]]:
    """Return the number of proposals of a model, and how they differ from those of a new training."""
    doc_ids = {pk: doc_id for doc_id, pk in documents.keys.items()}
    again = LearnerModel(parameters=model.parameters, query=model.query, batch_size=model.batch_size)
    again = learn(collection, model.topic, documents, again, judged_by_doc_id(model, doc_ids))
    problems = []
    if (again.digest, again.ranking) != (model.digest, model.ranking):
        problems.append("a new training ranks the documents differently.")
    ranked = set(again.ranking)
    order = again.ranking + sorted(key for key in documents.keys.values() if key not in ranked)
    proposals = Proposal.objects.filter(model=model).order_by("position").values_list("document", "position")
    for document, position in proposals:
        if order[position : position + 1] != [document]:
            problems.append(f"a new training does not propose {doc_ids.get(document, document)} at {position + 1}.")
    return len(proposals), problems
