"""What the sidebar shows on the pages of a collection, of an exercise, and of all exercises."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.urls import reverse

from assess.campaign.counts import Counts, counts_of
from assess.models import Collection, Exercise, Member, Phase, Role
from assess.web.frame.sidebar import Group, groups_for

MOST_OTHERS = 12
FIRST_PAGES = {Role.ASSESSOR: "judge:topics", Role.INSTRUCTOR: "research:agreement"}  # other roles open the overview
# The pages of an exercise: label, name of the page, icon, key, and the pages below it.
EXERCISE = (
    ("", (("Exercise", "exercise", "timer", "e", ("action", "remove_seat", "judgements")),)),
    (
        "Class",
        (
            ("Documents", "documents", "files", "d", ("document",)),
            ("Class screen", "screen", "monitor", "c", ()),
            ("Reveal", "reveal", "presentation", "r", ()),
        ),
    ),
    (
        "Worksheets",
        (
            ("Worksheets", "worksheets", "pencil-ruler", "w", ("key", "key_for")),
            ("Marks", "marks_page", "award", "m", ()),
        ),
    ),
)


class Other(NamedTuple):
    """A collection with the person's role in it, and the page that this role opens."""

    name: str
    role: str
    address: str


@dataclass(frozen=True)
class Link:
    """A link of the sidebar. `count` is how many there are, and `todo` how many of them wait for somebody."""

    label: str
    address: str
    icon: str
    key: str
    is_here: bool = False
    count: int = 0
    todo: int = 0


@dataclass(frozen=True)
class Side:
    """A sidebar: a name and a state, which link to the level above, and groups of links.

    `find` is the address of the search box, "" without one. The jobs are those of `collection`, if there is one.
    `label` names the navigation, and `others` are the collections to switch to.
    """

    name: str
    state: str
    up: str
    up_label: str
    groups: list[tuple[str, list[Link]]]
    find: str = ""
    collection: Collection | None = None
    running: int = 0
    label: str = "Collection"
    others: Sequence[Other] = ()


def side_of_member(member: Member, here: str, counts: Counts | None = None) -> Side:
    """The sidebar of a collection, which for the instructor of an exercise is the one of the exercise.

    `counts` are those of the collection; without them, they are counted.
    """
    if member.role != Role.INSTRUCTOR:
        return _of_collection(member, here, counts or counts_of(member.collection))
    exercise = Exercise.objects.filter(collection=member.collection, instructor=member.user_id).first()
    return side_of_exercise(exercise, here) if exercise else _of_collection(member, here, None)


def _of_collection(member: Member, here: str, counts: Counts | None) -> Side:
    collection = member.collection
    state = f"{member.get_role_display()} · archived" if collection.archived_at else member.get_role_display()
    groups = [(group.label, list(_links(group, collection, here, counts))) for group in groups_for(member.role)]
    if counts is None:
        home = Link("Teaching", reverse("teach:home"), "graduation-cap", "t")
        return Side(collection.name, state, reverse("home"), "All collections", [("", [home]), *groups])
    find, up = reverse("research:find", args=[collection.slug]), reverse("home")
    side = Side(collection.name, state, up, "All collections", groups, find, collection, counts.running)
    return replace(side, others=others_of(member))


def _links(group: Group, collection: Collection, here: str, counts: Counts | None) -> Iterator[Link]:
    for entry in group.entries:
        if entry.needs and not (counts and getattr(counts, entry.needs)):
            continue
        address = reverse(f"research:{entry.view}", args=[collection.slug])
        count, todo = (getattr(counts, name) if counts and name else 0 for name in (entry.count, entry.todo))
        yield Link(entry.label, address, entry.icon, entry.key, here in entry.here, count, todo)


def side_of_exercise(exercise: Exercise, here: str) -> Side:
    """The sidebar of an exercise. `here` is the name of the page, or the area of the figures."""
    groups = [
        (label, [_page(exercise, here, *page) for page in pages])
        for label, pages in EXERCISE
        if label != "Worksheets" or exercise.worksheets
    ]
    if exercise.phase == Phase.ENDED:
        figures = groups_for(Role.INSTRUCTOR)
        groups += [(group.label, list(_links(group, exercise.collection, here, None))) for group in figures]
    groups.append(("Settings", [_page(exercise, here, "Erase", "erase", "trash-2", "x", ())]))
    codes = [] if exercise.phase == Phase.ENDED else [exercise.readable_code]
    state = " · ".join([*codes, exercise.get_phase_display()])
    return Side(exercise.title, state, reverse("teach:home"), "All exercises", groups, label="Exercise")


def _page(exercise: Exercise, here: str, label: str, name: str, icon: str, key: str, below: tuple[str, ...]) -> Link:
    return Link(label, reverse(f"teach:{name}", args=[exercise.code]), icon, key, here in (name, *below))


def side_of_exercises(here: str, can_make: bool) -> Side:
    """The sidebar of the pages that belong to no exercise."""
    links = [Link("Exercises", reverse("teach:home"), "graduation-cap", "e", here == "home")]
    if can_make:
        links.append(Link("New exercise", reverse("teach:new"), "square-plus", "n", here == "new"))
    return Side("Teaching", "Class exercises", reverse("home"), "Home", [("", links)], label="Teaching")


def others_of(member: Member) -> list[Other]:
    """Return the person's other collections by name, without archived ones. One query."""
    rows = Member.objects.filter(user=member.user_id, collection__archived_at=None).exclude(pk=member.pk)
    values = rows.order_by("collection__name", "pk").values_list("collection__name", "role", "collection__slug")
    return [
        Other(name, Role(role).label, reverse(FIRST_PAGES.get(Role(role), "research:collection"), args=[slug]))
        for name, role, slug in values[:MOST_OTHERS]
    ]
