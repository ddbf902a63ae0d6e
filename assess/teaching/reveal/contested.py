"""Where you disagree: the most contested documents with their votes, and comments without names."""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import agreement
from assess.documents.display import displayed_text
from assess.documents.snippet import snippet_for
from assess.errors import Refused
from assess.lib.seeded_draw import draw
from assess.models import Judgement, Role, Seat, State, Task
from assess.teaching.reveal.class_judgements import ClassJudgements, Students
from assess.teaching.reveal.query import RevealQuery
from pooling.words import count

MAX_DOCUMENTS = 6  # on the screen
MAX_COMMENTS = 5  # for each document

Item = Mapping[Hashable, Any]  # a row of agreement.per_item_disagreement
ItemKey = tuple[str, str]  # query_id and doc_id


@dataclass(frozen=True)
class Vote:
    """How many students gave a grade. `own` marks the grade of the student who sees it."""

    value: int
    name: str
    tone: int
    n: int
    own: bool = False


@dataclass(frozen=True)
class Comment:
    """A comment and the grade that it was given with, without the student's name."""

    grade: int | None
    text: str


@dataclass(frozen=True)
class Contested:
    """A document that students grade differently."""

    topic: str
    title: str
    snippet: str
    votes: list[Vote]
    comments: list[Comment]
    n: int
    n_relevant: int
    task: int

    @property
    def split(self) -> str:
        return f"{self.n_relevant} of {self.n} found it relevant"

    def seen_by(self, relevance: int | None) -> "Contested":
        """Return the document for a student who gave this grade. Comments are for the instructor's screen only."""
        votes = [replace(vote, own=vote.value == relevance) for vote in self.votes]
        return replace(self, votes=votes, comments=[])

    @property
    def own(self) -> Vote | None:
        return next((vote for vote in self.votes if vote.own), None)


@dataclass(frozen=True)
class ContestedFigures:
    """The most contested of all documents that at least two students judged."""

    documents: list[Contested]
    n_split: int
    n: int
    n_judges: int
    rel: int
    students: Students

    @property
    def sentence(self) -> str:
        if not self.n_split:
            return self.students.headline(f"you all agree on every one of {count(self.n, 'document')}.")
        first = self.documents[0]
        return self.students.headline(
            f"you disagree on {self.n_split} of {count(self.n, 'document')}, and most on “{first.title}”: "
            f"{first.split}."
        )

    @property
    def basis(self) -> list[str]:
        return [
            count(self.n_judges, "student"),
            f"{count(self.n, 'document')} judged by two or more",
            f"relevant: grade {self.rel} and above",
            "most contested first",
        ]


@dataclass(frozen=True)
class OwnContestedFigures:
    """The same documents, with the student's own votes marked."""

    documents: list[Contested]

    @property
    def sentence(self) -> str:
        judged = [(document, document.own) for document in self.documents if document.own]
        if not judged:
            return "You judged none of the documents that were shown."
        minority = sum(2 * vote.n < document.n for document, vote in judged)
        return (
            f"In this exercise, on {minority} of the {count(len(judged), 'contested document')} that you judged, fewer "
            "than half of the students chose your grade."
        )

    @property
    def basis(self) -> list[str]:
        return ["your own grade is marked"]


def figures(data: ClassJudgements, _query: RevealQuery) -> ContestedFigures:
    data.check_two_students()
    return data.cached(_contested_figures, data.exercise.show_comments)


def own_figures(data: ClassJudgements, seat: Seat) -> OwnContestedFigures:
    data.check_two_students()
    documents = data.cached(_contested_by_task)
    rows = Judgement.objects.filter(member=seat.member_id, task__in=documents, state=State.JUDGED, repeat=0)
    grades = dict(rows.values_list("task", "relevance"))
    return OwnContestedFigures([document.seen_by(grades.get(task)) for task, document in documents.items()])


def _contested_figures(data: ClassJudgements, with_comments: bool) -> ContestedFigures:
    by_task = data.cached(_contested_by_task)
    items = agreement.per_item_disagreement(data.graded_ratings, rel=data.threshold)
    if items.empty:
        raise Refused("No document has been judged by two students yet.")
    comments = _comments(data, list(by_task)) if with_comments else {}
    documents = [replace(document, comments=comments.get(task, [])) for task, document in by_task.items()]
    n_split = int((items["distance"] > 0).sum())
    return ContestedFigures(documents, n_split, len(items), len(data.names), data.threshold, data.students)


def _contested_by_task(data: ClassJudgements) -> dict[int, Contested]:
    """Return the documents without comments, by the primary keys of their tasks."""
    disagreement = agreement.per_item_disagreement(data.graded_ratings, rel=data.threshold)
    items: list[dict[Hashable, Any]] = (
        disagreement[disagreement["n_disagreeing"] > 0].head(MAX_DOCUMENTS).to_dict("records")
    )
    tasks, counts = _tasks(data, items), _counts(data)
    documents = {}
    for item in items:
        key = item["query_id"], item["doc_id"]
        documents[tasks[key].pk] = _contested(data, tasks[key], counts[key], item)
    return documents


def _contested(data: ClassJudgements, task: Task, counts: Sequence[int], item: Item) -> Contested:
    document, steps = task.document, len(data.grades) - 1
    votes = [
        Vote(grade.value, grade.name, round(3 * place / steps), n)
        for place, (grade, n) in enumerate(zip(data.grades, counts, strict=True))
    ]
    content = document.content
    snippet = snippet_for(displayed_text(content), content.format, task.topic.title) if content else ""
    title = (content.title if content else "") or document.doc_id
    return Contested(task.topic.title, title, snippet, votes, [], int(item["n"]), int(item["n_relevant"]), task.pk)


def _counts(data: ClassJudgements) -> dict[ItemKey, list[int]]:
    """Return how many students gave each grade, by document."""
    ratings = data.graded_ratings
    return dict(zip(zip(ratings.query_ids, ratings.doc_ids, strict=True), ratings.counts.tolist(), strict=True))


def _tasks(data: ClassJudgements, items: Sequence[Item]) -> dict[ItemKey, Task]:
    tasks = Task.objects.filter(
        topic__collection=data.collection,
        topic__query_id__in={item["query_id"] for item in items},
        document__doc_id__in={item["doc_id"] for item in items},
    ).select_related("topic", "document__content")
    return {(task.topic.query_id, task.document.doc_id): task for task in tasks}


def _comments(data: ClassJudgements, tasks: Sequence[int]) -> dict[int, list[Comment]]:
    """Return the comments on each task, in a random order that does not show who wrote them."""
    rows = Judgement.objects.filter(task__in=tasks, repeat=0, state__in=(State.JUDGED, State.CANNOT_JUDGE))
    texts = rows.filter(member__role=Role.ASSESSOR).exclude(comment="").values_list("task", "relevance", "comment")
    comments: defaultdict[int, list[Comment]] = defaultdict(list)
    for task, grade, text in sorted(texts, key=lambda row: draw(data.exercise.seed, str(row[0]), row[2])):
        comments[task].append(Comment(grade, text))
    return {task: of_task[:MAX_COMMENTS] for task, of_task in comments.items()}
