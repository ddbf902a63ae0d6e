"""The model of a topic that proposes documents now. Pages import this: it loads neither numpy nor scikit-learn."""

from collections.abc import Sequence

from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from assess.models import Document, LearnerModel, Topic

CAL = "cal"


def current_model(topic: Topic) -> LearnerModel | None:
    """Return the latest model of the topic; None if its documents are not ordered by a learner.

    `judgements_erased` says that the model has learned from judgements which do not exist any more.
    """
    models = LearnerModel.objects.filter(topic=topic, topic__adaptive_order__strategy=CAL).defer("judged", "query")
    erased = ExpressionWrapper(Q(judged__isnull=True), output_field=BooleanField())
    model = models.annotate(judgements_erased=erased).order_by("-version").first()
    if model:
        model.topic = topic  # which the caller has read
    return model


def in_order_of(model: LearnerModel, documents: dict[str, int], limit: int) -> list[str]:
    """Return the first `limit` of these doc_ids in the order of the model. Their values are primary keys.

    Documents that are not among the first of the model follow in their own order.
    """
    positions = positions_in(model)
    last = len(positions)
    return sorted(documents, key=lambda doc_id: positions.get(documents[doc_id], last))[:limit]


def positions_in(model: LearnerModel) -> dict[int, int]:
    """Return the position of each document in the model's ranking, by primary key."""
    ranking: Sequence[int] = model.ranking
    return {document: position for position, document in enumerate(ranking)}


def documents_of_model(model: LearnerModel) -> QuerySet[Document]:
    """Return the documents from which the model was trained to choose."""
    documents = Document.objects.filter(collection=model.topic.collection_id, content__isnull=False)
    return documents.filter(pk__lte=model.last_document)


def position_behind_ranking(model: LearnerModel, document: int) -> int:
    """Return the position of a document that is not in the stored ranking: the others follow it by primary key."""
    earlier = documents_of_model(model).filter(pk__lt=document).count()
    ranking: Sequence[int] = model.ranking
    return len(ranking) + earlier - sum(key < document for key in ranking)
