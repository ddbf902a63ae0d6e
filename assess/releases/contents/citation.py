"""How to cite the release, as BibTeX."""

from assess.releases.source import ReleaseSource
from assess.releases.spec import ReleaseSpec
from pooling.text_tables import latex


def files(source: ReleaseSource) -> dict[str, bytes]:
    return {"citation.bib": bibtex(source.spec).encode()}


def bibtex(spec: ReleaseSpec) -> str:
    """Return the entry. Without authors, the collection's name takes their place, so that every style can sort it."""
    author = latex(spec.authors) if spec.authors else f"{{{latex(spec.title)}}}"
    fields = {
        "author": author,
        "title": f"{{{latex(spec.title)}}}: relevance judgements, release {latex(spec.name)}, version {spec.version}",
        "year": spec.date[:4],
        "month": spec.date[5:7].lstrip("0"),
        "version": str(spec.version),
        "note": f"Ledger checkpoint {spec.checkpoint[:12]}",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{spec.collection}-{spec.file_name},\n{lines}}}\n"
