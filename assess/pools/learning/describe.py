"""The results of the learner's jobs in words."""

from typing import Any

from pooling.words import count

ASSIGNED_ONLY = (
    "The collection is not open to claims, so cal orders only documents that are assigned. Open it to claims (the rule "
    "“Judges per task”) to let other documents enter the pool."
)


def begun_sentences(query_ids: list[str], documents: int, is_open: bool) -> list[str]:
    """Describe a `LearningResult` by its fields."""
    topics = count(len(query_ids), "topic")
    return [
        f"cal now orders the documents of {topics}. It proposes from {count(documents, 'document')}.",
        *([] if is_open else [ASSIGNED_ONLY]),
    ]


def trained_sentence(result: dict[str, Any]) -> str:
    """Describe a `TrainResult`."""
    if not result["version"]:
        return f"Topic {result['query_id']} needs no new model."
    judged = count(result["judged"], "judged document")
    return f"Version {result['version']} of the model of topic {result['query_id']} has learned from {judged}."
