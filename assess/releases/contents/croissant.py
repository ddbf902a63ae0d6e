"""The description of the release in Croissant 1.0: JSON-LD with the files, their checksums and their columns."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from assess.releases.contents.citation import bibtex
from assess.releases.source import ReleaseSource

CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {".jsonl": "application/jsonlines", ".md": "text/markdown", ".yml": "application/yaml", ".bib": "text/x-bibtex"}
TYPES |= {".tex": "text/x-tex", ".csv": "text/csv", ".py": "text/x-python", ".svg": "image/svg+xml"}
TYPES |= {".json": "application/json", ".txt": "text/plain"}
RECORDS = {
    "judgements": (
        "judgements.csv",
        {"assessor": "sc:Text", "query_id": "sc:Text", "doc_id": "sc:Text", "relevance": "sc:Integer"},
    ),
    "topics": ("topics.jsonl", {"query_id": "sc:Text", "title": "sc:Text"}),
}


def files(source: ReleaseSource, others: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the description of the other files."""
    spec = source.spec
    known = {"license": spec.licence} if spec.licence else {}
    creator = {"creator": {"@type": "Organization", "name": spec.authors}} if spec.authors else {}
    description = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{spec.collection}-{spec.file_name}",
        "description": spec.notes or f"Relevance judgements of {spec.title}, version {spec.version}.",
        "version": f"{spec.version}.0.0",
        "datePublished": spec.date,
        "url": f"urn:sha256:{spec.checkpoint}",
        "citeAs": bibtex(spec),
        **known,
        **creator,
        "distribution": [_file(name, content) for name, content in sorted(others.items())],
        "recordSet": [_records(name, *parts) for name, parts in RECORDS.items()],
    }
    return {"croissant.json": (json.dumps(description, indent=1, ensure_ascii=False) + "\n").encode()}


def _file(name: str, content: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(content)} B",
        "encodingFormat": TYPES[PurePosixPath(name).suffix],
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def _records(name: str, file: str, columns: Mapping[str, str]) -> dict[str, Any]:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "dataType": data_type,
            "source": {
                "fileObject": {"@id": file},
                "extract": {"column": column},
            },
        }
        for column, data_type in columns.items()
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields}
