"""Build the documentation site: `python -m docs.build` writes it to `assay/documentation`.

The pages of this folder and those of the reference are copied into `var/documentation`, from which zensical builds the
site as `zensical.toml` says. A broken link or anchor ends the build, and so does an example of the reference that
fails.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from docs.reference import index_page, navigation, pages

DOCS = Path(__file__).resolve().parent
PROJECT = DOCS.parent
SOURCE = PROJECT / "var" / "documentation"
SITE = PROJECT / "assay" / "documentation"
COPIED = ("*.md", "*.png", "*.svg", "*.js", "*.css", "*.ipynb", "*.json")


def main() -> int:
    """Write the source of the site, and build it; returns the exit code of zensical."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    copy_pages(SOURCE)
    write_reference(SOURCE / "reference")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run(command, cwd=PROJECT).returncode  # noqa: S603 - our own arguments


def copy_pages(target: Path) -> None:
    """Copy the pages with their pictures and scripts."""
    for pattern in COPIED:
        for path in DOCS.rglob(pattern):
            copy = target / path.relative_to(DOCS)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def write_reference(folder: Path) -> None:
    """Write the pages of the reference, their index and their navigation."""
    made = pages()
    files = {page.path: page.text for page in made}
    files |= {"index.md": index_page(made), "SUMMARY.md": navigation(made)}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
