"""The pool: how it was made, and for each document its systems, best rank and inclusion probability.

A document that entered the pool because a learner proposed it has the version of the learner's model. One that a
searcher found has `found_by_search`: when it entered the pool; and if the judgements of the searcher are in the
release, the searcher, the query, and when they searched. Releases without these judgements stay when the searcher is
erased, so they contain nothing of that person. A document of the random sample of its topic has its place in the order
of drawing; the pool building states seed, size, and the sizes of the populations. A document that no run retrieved has
no systems, and null as best rank.
"""

import json
from typing import Any

from assess.releases.contents.collection_files import json_lines
from assess.releases.source import ReleaseSource
from assess.releases.spec import written_time


def files(source: ReleaseSource) -> dict[str, bytes]:
    made = {
        "buildings": [
            {
                "strategy": building.strategy,
                "parameters": building.parameters,
                "runs": building.run_checksums,
                "documents_added": building.tasks_added,
            }
            for building in source.pool.buildings
        ],
        "notes": source.pool.notes,
    }
    frame = source.pool.frame
    probabilities = frame["inclusion_probability"].astype(object).where(frame["inclusion_probability"].notna(), None)
    rows = zip(frame["query_id"], frame["doc_id"], frame["systems"], frame["best_rank"].tolist(), strict=True)
    documents = [
        {
            "query_id": query_id,
            "doc_id": doc_id,
            "systems": list(systems),
            "best_rank": best_rank or None,
            "stratum": stratum,
            "inclusion_probability": probability,
        }
        | _proposed_by(source, (query_id, doc_id))
        | _found_by(source, (query_id, doc_id))
        | _sampled(source, (query_id, doc_id))
        for (query_id, doc_id, systems, best_rank), stratum, probability in zip(
            rows, frame["stratum"], probabilities, strict=True
        )
    ]
    strategy = json.dumps(made, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    return {"pool.json": strategy.encode(), "pool.jsonl": json_lines(documents)}


def _proposed_by(source: ReleaseSource, pair: tuple[str, str]) -> dict[str, int]:
    version = source.pool.proposed.get(pair)
    return {} if version is None else {"learner_version": version}


def _sampled(source: ReleaseSource, pair: tuple[str, str]) -> dict[str, int]:
    drawn = source.pool.sampled.get(pair)
    return {} if drawn is None else {"sample_place": drawn.place}


def _found_by(source: ReleaseSource, pair: tuple[str, str]) -> dict[str, Any]:
    origin = source.pool.searched.get(pair)
    if origin is None:
        return {}
    search: dict[str, Any] = {"entered_pool_at": written_time(origin.entered_at)}
    names = [member.name for member in source.spec.members if member.pk == origin.member]
    if names and origin.searched_at:
        search |= {"searcher": names[0], "query": origin.query, "searched_at": written_time(origin.searched_at)}
    return {"found_by_search": search}
