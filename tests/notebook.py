"""Executes the notebook of the docs and renders it as a page: `python -m tests.notebook` writes the page."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

from tests.realdata import real_data

DOCS = Path(__file__).resolve().parent.parent / "docs"
NOTEBOOK = DOCS / "notebooks" / "dl19-judges.ipynb"
PAGE = DOCS / "notebooks" / "dl19-judges.md"
NOTE = "<!-- Rendered from dl19-judges.ipynb: `make notebook` writes this page, and CI compares it. -->\n\n"


def code_lines() -> list[str]:
    """The lines of code of the notebook that are not empty."""
    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    return [line for cell in cells if cell.cell_type == "code" for line in cell.source.splitlines() if line.strip()]


def rendered(monkeypatch) -> dict[Path, bytes]:
    """The files of the page after the notebook was executed, by path."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    monkeypatch.setenv("ASSAY_TEST_DATA", str(real_data()))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(DOCS.parent)}}).execute()
    page, resources = MarkdownExporter().from_notebook_node(notebook, {"output_files_dir": "dl19-judges"})
    figures = {NOTEBOOK.parent / name: content for name, content in resources["outputs"].items()}
    return {PAGE: (NOTE + page).encode(), **figures}


def main() -> None:
    """Write the page and its figures."""
    import pytest

    with pytest.MonkeyPatch.context() as monkeypatch:
        for path, content in rendered(monkeypatch).items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)


if __name__ == "__main__":
    main()
