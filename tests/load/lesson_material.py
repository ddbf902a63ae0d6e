"""The topics, documents and runs from which the exercise of the load tests is created."""

DEPTH = 15  # of the pool: each of the two topics has more documents than the exercise uses
TITLES = {"1": "first need", "2": "second need"}  # of the topics of `tests.factories.small_collection`


def _ranking(numbers) -> dict[str, list[str]]:
    return {topic: [f"{topic}-{number}" for number in numbers] for topic in TITLES}


# system -> topic -> documents, best first
RUNS = {
    "alpha": _ranking(range(DEPTH)),
    "beta": _ranking(reversed(range(DEPTH))),
    "gamma": _ranking([*range(1, DEPTH, 2), *range(0, DEPTH, 2)]),
}


def title_of(doc_id: str) -> str:
    return f"Title {doc_id}"


def text_of_document(doc_id: str) -> str:
    return f"Text of {doc_id}."
