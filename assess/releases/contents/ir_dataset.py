"""A definition for ir_datasets: a Python file that registers the topics and qrels of the folder that it is in."""

import json

from assess.releases.source import ReleaseSource

TEMPLATE = '''"""Registers this release with ir_datasets. Import it, and load the data set {name}."""

from pathlib import Path

import ir_datasets
from ir_datasets.datasets.base import Dataset
from ir_datasets.formats import TrecQrels, TrecQuery
from ir_datasets.formats.jsonl import JsonlQueries
from ir_datasets.util import LocalDownload

NAME = {name}
GRADES = {grades}
FOLDER = Path(__file__).resolve().parent
FIELDS = {{"query_id": "query_id", "title": "title", "description": "description", "narrative": "narrative"}}

dataset = Dataset(
    JsonlQueries(LocalDownload(FOLDER / "topics.jsonl"), query_cls=TrecQuery, mapping=FIELDS),
    TrecQrels(LocalDownload(FOLDER / "qrels.txt"), GRADES),
)
if NAME not in ir_datasets.registry:
    ir_datasets.registry.register(NAME, dataset)
'''


def files(source: ReleaseSource) -> dict[str, bytes]:
    spec = source.spec
    if spec.rel is None:
        grades = {grade.value: ": ".join(filter(None, (grade.name, grade.meaning))) for grade in source.grades}
    else:
        grades = {0: f"below grade {spec.rel}", 1: f"grade {spec.rel} and above"}
    lines = "".join(f"    {value}: {_literal(text)},\n" for value, text in grades.items())
    name = _literal(f"{spec.collection}/{spec.file_name}")
    return {"ir_dataset.py": TEMPLATE.format(name=name, grades=f"{{\n{lines}}}").encode()}


def _literal(text: str) -> str:
    """Return a Python string in double quotes; JSON escapes what would end it."""
    return json.dumps(text, ensure_ascii=True)
