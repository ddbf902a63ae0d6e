"""What the collection consists of: topics, scale, systems and guidelines."""

import json
from collections.abc import Mapping
from typing import Any

from assess.collections.scale import GradeSpec
from assess.releases.source import ReleaseSource


def files(source: ReleaseSource) -> dict[str, bytes]:
    topics = [
        {
            "query_id": topic.query_id,
            "title": topic.title,
            "description": topic.description,
            "narrative": topic.narrative,
            **_set_of(topic.query_id, source.spec.topic_sets),
        }
        for topic in source.topics
    ]
    systems = [
        {
            "system": run.system,
            "source_sha256": run.source_checksum,
            "stored_sha256": run.file_checksum,
            "lines": run.line_count,
            "topics": run.topic_count,
            "score_precision": run.score_precision,
            "is_baseline": run.is_baseline,
        }
        for run in source.runs
    ]
    return {
        "topics.jsonl": json_lines(topics),
        "scale.jsonl": json_lines([_grade(grade) for grade in source.grades]),
        "runs.jsonl": json_lines(systems),
        **{f"guidelines/{each.version}.md": each.text.encode() for each in source.guidelines},
    }


def _set_of(query_id: str, sets: Mapping[str, str]) -> dict[str, str | None]:
    """Return the set of a topic. A collection without sets has no such field."""
    return {"set": sets.get(query_id)} if sets else {}


def _grade(grade: GradeSpec) -> dict[str, Any]:
    return {"value": grade.value, "name": grade.name, "meaning": grade.meaning}


def json_lines(rows: list[dict[str, Any]]) -> bytes:
    """Return one JSON object for each line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
