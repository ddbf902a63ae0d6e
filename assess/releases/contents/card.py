"""The dataset card: `README.md` with the metadata that Hugging Face reads from its first lines."""

import yaml

from assess.releases.certificates import sentences
from assess.releases.contents import model_judges
from assess.releases.contents.blindness import certificates
from assess.releases.contents.citation import bibtex
from assess.releases.contents.methods import methods
from assess.releases.figures import MODEL_JUDGES
from assess.releases.source import ReleaseSource

CONFIGS = {"qrels": "qrels.txt", "judgements": "judgements.csv", "topics": "topics.jsonl", "pool": "pool.jsonl"}
FILES = {
    "qrels.txt": "the released gold: query_id, 0, doc_id, relevance",
    "judgements.csv": "all judgements under pseudonyms",
    "topics.jsonl": "query_id, title, description, narrative",
    "scale.jsonl": "the grades and their meanings",
    "pool.json": "how the pool was made",
    "pool.jsonl": "each document's systems, best rank, stratum and inclusion probability",
    "runs.jsonl": "the systems and the checksums of their runs",
    "guidelines/": "all versions of the guidelines",
    "reports/": "agreement of the judges, and shift of the ranking",
    MODEL_JUDGES: "the report on model judges: text, tables and figures",
    "figures/": "changes of rank, and tau between the golds",
    "paper/": "a methods paragraph and tables, in Markdown and LaTeX",
    "blindness.json": "what each judge could see and when, and the versions that the judgements were made under",
    "displayed.csv": "the hashes of the texts, grades and guidelines that were displayed for each judgement",
    "CHANGES.md": "what changed since the version before",
    "changes.csv": "the grades that changed since the version before",
    "citation.bib": "how to cite this release",
    "croissant.json": "this release in Croissant 1.0",
    "ir_metadata.yml": "this release in ir_metadata",
    "ir_dataset.py": "a definition for ir_datasets",
    "release.json": "the settings, from which the release can be computed again",
    "manifest.json": "versions of the software, seed, checkpoint of the ledger, and checksums",
}
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"


def files(source: ReleaseSource) -> dict[str, bytes]:
    header = yaml.safe_dump(_metadata(source), sort_keys=False, allow_unicode=True, width=120)
    return {"README.md": f"---\n{header}---\n\n{_text(source)}".encode()}


def _blindness(source: ReleaseSource) -> str:
    """Return what the judges could see; nothing for a release whose settings do not state it."""
    if not source.spec.blindness:
        return ""
    seen = " ".join(sentences(certificates(source).all()))
    return f"## What the judges could see\n\n{seen} The file `reports/blindness.md` has each judge.\n\n"


def _exists(source: ReleaseSource, name: str) -> bool:
    """Whether the release has the file or folder; some need two judges, runs, or a version before."""
    if name in ("reports/", "figures/"):
        return source.shift is not None or (source.agreement_report is not None and name == "reports/")
    previous = source.spec.previous
    has_changes = previous is not None and previous.has_grades
    certified = bool(source.spec.blindness)
    known = {
        MODEL_JUDGES: source.trust.report is not None,
        "changes.csv": has_changes,
        "guidelines/": bool(source.guidelines),
    }
    return (known | {"blindness.json": certified, "displayed.csv": certified}).get(name, True)


def _metadata(source: ReleaseSource) -> dict[str, object]:
    spec = source.spec
    known = {"license": spec.licence} if spec.licence else {}
    return {
        "pretty_name": f"{spec.title}: {spec.name} {spec.version}",
        **known,
        "task_categories": ["text-retrieval"],
        "tags": ["information-retrieval", "test-collection", "relevance-judgements"],
        "size_categories": [next((name for limit, name in SIZES if len(source.gold) < limit), LARGEST)],
        "configs": [
            {"config_name": name, "data_files": path} for name, path in CONFIGS.items() if not path.endswith(".txt")
        ],
    }


def _text(source: ReleaseSource) -> str:
    spec = source.spec
    described = FILES | ({"topics.jsonl": f"{FILES['topics.jsonl']}, set"} if spec.topic_sets else {})
    if spec.marginal:
        described["judgements.csv"] += ", and what relevant documents add to those seen before"
    if spec.suggestions:
        described["judgements.csv"] += ", and with which suggestion of a model they were made"
    listed = "".join(f"- `{name}`: {what}\n" for name, what in described.items() if _exists(source, name))
    if spec.sighted:
        described["judgements.csv"] += ", and the role in which a judge could see the runs before"
    notes = f"{spec.notes}\n\n" if spec.notes else ""
    return (
        f"# {spec.title}: {spec.name}, version {spec.version}\n\n{notes}Released on {spec.date}.\n\n"
        f"## How it was made\n\n{' '.join(methods(source))}\n\n"
        f"{_blindness(source)}{model_judges.section(source)}"
        f"## Files\n\n{listed}\n"
        f"## Licence\n\n{spec.licence or 'The authors have not stated a licence.'}\n\n"
        f"The texts of the documents are not included.\n\n"
        f"## Citation\n\n```bibtex\n{bibtex(spec)}```\n"
    )
