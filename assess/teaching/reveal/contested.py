"""Where the class parts: the most contested documents with their votes, and comments without names."""

from collections import defaultdict
from dataclasses import dataclass, replace

import agreement
from assess.errors import Refused
from assess.judging import document_text
from assess.lib.seeded_draw import draw
from assess.models import Judgement, Role, Seat, State, Task
from assess.teaching.reveal.material import Material
from assess.teaching.reveal.words import count

MOST = 6  # documents on the screen
MOST_COMMENTS = 5  # a document


@dataclass(frozen=True)
class Vote:
    """How many gave a grade; `own` marks the grade of the student who looks."""

    value: int
    name: str
    tone: int
    n: int
    own: bool = False


@dataclass(frozen=True)
class Said:
    """A comment, and the grade it was given with; not by whom."""

    grade: int | None
    text: str


@dataclass(frozen=True)
class Contested:
    """A document on which students differ."""

    topic: str
    title: str
    snippet: str
    votes: list[Vote]
    comments: list[Said]
    n: int
    n_relevant: int

    @property
    def split(self) -> str:
        return f"{self.n_relevant} of {self.n} found it relevant"

    def seen_by(self, relevance: int | None) -> "Contested":
        """The same for a student who gave that grade; what others wrote is for the class's screen."""
        votes = [replace(vote, own=vote.value == relevance) for vote in self.votes]
        return replace(self, votes=votes, comments=[])

    @property
    def own(self) -> Vote | None:
        return next((vote for vote in self.votes if vote.own), None)


@dataclass(frozen=True)
class Contests:
    """The most contested documents, of all that two or more judged."""

    documents: list[Contested]
    n_split: int
    n: int
    n_judges: int
    rel: int

    @property
    def sentence(self) -> str:
        if not self.n_split:
            return f"All of you agree on every one of {count(self.n, 'document')}: there is nothing to part over."
        first = self.documents[0]
        return (
            f"You differ on {self.n_split} of {count(self.n, 'document')}, and most on “{first.title}”: {first.split}."
        )

    @property
    def basis(self) -> list[str]:
        told = [count(self.n_judges, "student"), f"{count(self.n, 'document')} judged by two or more"]
        return [*told, f"relevant from grade {self.rel} on", "most contested first"]


@dataclass(frozen=True)
class OwnContests:
    """The same documents, with the student's own votes marked."""

    documents: list[Contested]

    @property
    def sentence(self) -> str:
        own = [each for each in self.documents if each.own]
        few = sum(2 * each.own.n < each.n for each in own)
        if not own:
            return "You judged none of the documents that were shown."
        judged = count(len(own), "contested document")
        return f"On {few} of the {judged} that you judged, fewer than half of all chose your grade."

    @property
    def basis(self) -> list[str]:
        return ["your own grade is marked"]


def figures(material: Material, _asked) -> Contests:
    material.need_two()
    return material.kept(_contests, material.exercise.show_comments)


def own(material: Material, seat: Seat) -> OwnContests:
    material.need_two()
    found = material.kept(_contests_by_task)
    gave = dict(
        Judgement.objects.filter(member=seat.member_id, task__in=found, state=State.JUDGED, repeat=0).values_list(
            "task", "relevance"
        )
    )
    return OwnContests([document.seen_by(gave.get(task)) for task, document in found.items()])


def _contests(material: Material, with_comments: bool) -> Contests:
    found = material.kept(_contests_by_task)
    items = agreement.per_item_disagreement(material.every_grade, rel=material.threshold)
    if items.empty:
        raise Refused("No document was judged by two students yet.")
    said = _comments(material, list(found)) if with_comments else {}
    documents = [replace(document, comments=said.get(task, [])) for task, document in found.items()]
    split = int((items["distance"] > 0).sum())
    return Contests(documents, split, len(items), len(material.names), material.threshold)


def _contests_by_task(material: Material) -> dict[int, Contested]:
    """The documents by the keys of their tasks, without comments."""
    items = agreement.per_item_disagreement(material.every_grade, rel=material.threshold)
    items = items[items["n_disagreeing"] > 0].head(MOST).to_dict("records")
    tasks, counts = _tasks(material, items), _counts(material)
    found = {}
    for item in items:
        key = item["query_id"], item["doc_id"]
        found[tasks[key].pk] = _contested(material, tasks[key], counts[key], item)
    return found


def _contested(material: Material, task: Task, counts: list[int], item: dict) -> Contested:
    document, steps = task.document, len(material.grades) - 1
    votes = [
        Vote(grade.value, grade.name, round(3 * place / steps), n)
        for place, (grade, n) in enumerate(zip(material.grades, counts, strict=True))
    ]
    snippet = document_text.snippet(document.text or "", document.format, task.topic.title)
    title = document.title or document.doc_id
    return Contested(task.topic.title, title, snippet, votes, [], int(item["n"]), int(item["n_relevant"]))


def _counts(material: Material) -> dict[tuple[str, str], list[int]]:
    """How many gave each item each grade."""
    ratings = material.every_grade
    return dict(zip(zip(ratings.query_ids, ratings.doc_ids, strict=True), ratings.counts.tolist(), strict=True))


def _tasks(material: Material, items: list[dict]) -> dict[tuple[str, str], Task]:
    tasks = Task.objects.filter(
        topic__collection=material.collection,
        topic__query_id__in={item["query_id"] for item in items},
        document__doc_id__in={item["doc_id"] for item in items},
    ).select_related("topic", "document")
    return {(task.topic.query_id, task.document.doc_id): task for task in tasks}


def _comments(material: Material, tasks: list[int]) -> dict[int, list[Said]]:
    """What was written, in an order that tells nothing of who wrote it."""
    rows = Judgement.objects.filter(task__in=tasks, repeat=0, state__in=(State.JUDGED, State.CANNOT_JUDGE))
    rows = rows.filter(member__role=Role.ASSESSOR).exclude(comment="").values_list("task", "relevance", "comment")
    found = defaultdict(list)
    for task, grade, text in sorted(rows, key=lambda row: draw(material.exercise.seed, str(row[0]), row[2])):
        found[task].append(Said(grade, text))
    return {task: said[:MOST_COMMENTS] for task, said in found.items()}
