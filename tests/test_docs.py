"""The pages in docs/ link to files and headings that exist, and the guide to a campaign names what its pages show."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
PAGES = [*sorted((PROJECT / "docs").rglob("*.md")), PROJECT / "README.md", PROJECT / "SECURITY.md"]
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")
EMPHASIS = re.compile(r"(?<!\*)\*([^*\n]+(?:\n[^*\n]+)?)\*(?!\*)")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    titles = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page):
    wrong = []
    for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if name.startswith("http"):
            continue
        target = (page.parent / name) if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            wrong.append(f"{name}#{anchor}")
    assert wrong == []


def test_guide_names_buttons_and_pages_that_exist():
    sources = [*(PROJECT / "templates").rglob("*.html"), *(PROJECT / "assess").rglob("*.py")]
    text = " ".join(" ".join(path.read_text(encoding="utf-8") for path in sources).split())
    guide = (PROJECT / "docs" / "campaign.md").read_text(encoding="utf-8")
    names = {" ".join(name.split()) for name in EMPHASIS.findall(guide)}
    assert len(names) > 20
    assert {name for name in names if name not in text} == set()
