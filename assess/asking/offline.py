"""The offline judge: words in common, mapped to grades by what people graded. Loads pandas.

It is made from the grades of people, so it is refused before they have finished, unless an owner decides otherwise.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assess.asking.judges import scale_of_models
from assess.asking.pairs import PoolPairs
from assess.asking.rules import check_people_finished
from assess.errors import Refused
from assess.models import Collection, ModelWork

if TYPE_CHECKING:
    from pooling.models import Answer


def offline_answers(work: ModelWork, pool: PoolPairs) -> "tuple[list[Answer], list[str]]":
    """Return the answers of the offline judge to the whole pool, and what was left out."""
    from assess.analysis.data import collection_gold  # loads pandas
    from pooling.models import offline_judge

    collection = work.judge.collection
    check_people_finished(collection)
    rule = gold_of_people(collection)
    human = collection_gold(collection, rule)
    try:
        graded = offline_judge(pool.pairs(set()), human, scale_of_models(collection), seed=work.seed)
    except ValueError as error:
        raise Refused(str(error)) from None
    about = {**graded.record, "people": rule}
    rows: list[dict[str, Any]] = graded.frame.to_dict("records")  # type: ignore[assignment]  # its columns are texts
    return [_answer(row, about) for row in rows], graded.notes


def gold_of_people(collection: Collection) -> str:
    """Return the gold of people that is the default reference. Refused if no person has judged."""
    from assess.analysis.reference import default_reference, golds_of_people, judges_of

    judges = judges_of(collection)
    golds = golds_of_people(collection, judges)
    reference = default_reference(collection, judges, golds) if golds else None
    if reference is None:
        raise Refused(f"No person has judged in {collection} yet. The offline judge is made from grades of people.")
    return reference.rule


def _answer(row: Mapping[str, Any], about: Mapping[str, Any]) -> "Answer":
    """Return a row of grades as an answer. Its raw form has what the grade was computed from."""
    from pooling.models import Answer, Pair
    from pooling.models.answers import request_key
    from pooling.models.confidence import Confidence

    shares = {grade: float(row[f"p_{grade}"]) for grade, *_ in about["scale"]}
    values = {"score": row["score"], "fold": row["fold"], "expected": row["expected"], "probabilities": shares}
    pair = Pair(row["query_id"], row["doc_id"], {}, "")
    return Answer(
        request_key(about, values, pair),
        pair.query_id,
        pair.doc_id,
        grade=row["relevance"],
        raw=json.dumps(values).encode(),
        parameters=about,
        reported={"model": "words in common (offline)"},
        confidence=Confidence(shares, 1.0),
    )
