"""The release in the schema of ir_metadata (version 0.1), which describes experiments by the PRIMAD model.

The schema was made for runs. Its parts that describe a run are left out: the method, and the command line.
"""

import platform

import yaml

from agreement.version import VERSION
from assess.releases.source import ReleaseSource


def files(source: ReleaseSource) -> dict[str, bytes]:
    spec = source.spec
    libraries = [f"ir-assay=={VERSION}", f"python=={platform.python_version()}"]
    metadata = {
        "schema-version": 0.1,
        "run-version": float(spec.version),
        "tag": f"{spec.collection}.{spec.file_name}",
        "platform": {"software": {"libraries": {"python": libraries}}},
        "actor": {"name": spec.authors, "role": "experimenter"} if spec.authors else {"role": "experimenter"},
        "data": {
            "test collection": {
                "name": spec.title,
                "source": f"{spec.collection}, ledger checkpoint {spec.checkpoint}",
                "qrels": "qrels.txt",
                "topics": "topics.jsonl",
                "ir_datasets": f"{spec.collection}/{spec.file_name}",
            },
            "other": [{"name": "pool", "source": "pool.jsonl"}, {"name": "judgements", "source": "judgements.csv"}],
        },
    }
    content = yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True, width=120)
    return {"ir_metadata.yml": f"# ir_metadata.start\n{content}# ir_metadata.end\n".encode()}
