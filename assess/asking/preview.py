"""What a model would read of a prompt: the messages for a document of the pool. Nothing is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assess.asking.judges import scale_of_models
from assess.asking.pairs import pair_of
from assess.errors import Refused
from assess.models import Collection
from assess.pools.tasks import pooled_tasks


@dataclass(frozen=True)
class PromptPreview:
    """The messages of a prompt for one document."""

    query_id: str
    doc_id: str
    messages: list[Any]


def preview_messages(collection: Collection, texts: Mapping[str, str], criteria: Sequence[str]) -> PromptPreview:
    """Return the messages for the first document of the pool in the drawn order. Refused if the prompt is invalid."""
    from pooling.models import Prompt  # loads the HTTP client
    from pooling.models.prompts import Example

    tasks = pooled_tasks(collection).filter(document__content__isnull=False).order_by("draw", "pk")
    task = tasks.select_related("topic", "document").first()
    if task is None:
        raise Refused(f"{collection} has no pooled document with a text yet. Build the pool first.")
    pair = pair_of(task)
    guidelines = collection.guidelines.last()
    try:
        own = {"form": texts["form"], "criteria": tuple(criteria), "scale_order": texts["scale_order"]}
        prompt = Prompt(texts["name"], texts["system"], texts["user"], **own)  # type: ignore[arg-type]
        scale = scale_of_models(collection)
        shown = [Example("a query", "A document with a known grade.", scale[0].value)]
        messages = prompt.messages(
            scale,
            pair.topic,
            pair.document(),
            pair.document(),
            guidelines.text if guidelines else "",
            shown if "examples" in prompt.fields else (),
        )
    except ValueError as error:
        raise Refused(str(error)) from None
    return PromptPreview(pair.query_id, pair.doc_id, list(messages))
