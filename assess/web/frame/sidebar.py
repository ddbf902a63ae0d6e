"""The entries of the sidebar, in the order of the work. A role sees only the entries that it may open."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from assess.access import OWNERS, READERS, RESEARCHERS
from assess.models import Role


@dataclass(frozen=True)
class Entry:
    """A page in the sidebar.

    `here` are the areas that it marks as the present one: the values of `here` of the pages below it. `count` and
    `todo` name a field of `Counts`: how many there are, and how many of them wait for somebody. After `g`, the key
    opens the page. `needs` names a field of `Counts`: without any of these, the entry is left out.
    """

    label: str
    view: str
    icon: str
    key: str
    here: frozenset[str] = field(default_factory=frozenset)
    roles: frozenset[Role] = RESEARCHERS
    needs: str = ""
    count: str = ""
    todo: str = ""


@dataclass(frozen=True)
class Group:
    label: str
    entries: tuple[Entry, ...]


def _areas(*names: str) -> frozenset[str]:
    return frozenset(names)


GROUPS = (
    Group("", (Entry("Overview", "collection", "layout-dashboard", "o", _areas("collection"), todo="failed"),)),
    Group(
        "Set up",
        (
            Entry("Import", "import", "upload", "i", _areas("import")),
            Entry("Documents", "texts", "file-text", "c", _areas("texts")),
            Entry("Topics", "topics", "list", "t", _areas("topics"), count="topics"),
            Entry("Runs", "runs", "chart-column", "r", _areas("runs"), count="runs"),
            Entry("Pool", "pool", "funnel", "p", _areas("pool")),
            Entry("People", "people", "users", "e", _areas("people"), count="people", todo="lapsed"),
            Entry("Guidelines", "judging", "book-open", "l", _areas("judging"), count="guidelines"),
        ),
    ),
    Group(
        "Judge",
        (
            Entry("Work", "work", "circle-check", "w", _areas("work")),
            Entry("Search", "search", "search", "f", _areas("search")),
            Entry("Adjudication", "adjudication", "scale", "j", _areas("adjudication"), todo="undecided"),
        ),
    ),
    Group(
        "Analyse",
        (
            Entry("Agreement", "agreement", "blend", "a", _areas("agreement"), READERS),
            Entry("Ranking shift", "shift", "git-compare-arrows", "s", _areas("shift"), READERS),
            Entry("Model judges", "model_judges", "bot", "m", _areas("model_judges"), needs="models"),
            Entry("Disputed", "documents", "files", "d", _areas("documents", "near_duplicates")),
        ),
    ),
    Group("Publish", (Entry("Releases", "releases", "package", "u", _areas("releases"), count="releases"),)),
    Group(
        "Settings",
        (
            Entry("Settings", "settings", "settings", "x", _areas("settings"), OWNERS),
            Entry("Audit log", "audit", "history", "h", _areas("audit"), OWNERS),
        ),
    ),
)


def groups_for(role: str) -> Iterator[Group]:
    """Yield the groups with the entries that a role may open."""
    for group in GROUPS:
        entries = tuple(entry for entry in group.entries if role in entry.roles)
        if entries:
            yield Group(group.label, entries)
