"""A figure that two pages show is the same on both, also in the files behind them.

The collection has what campaigns have: judgements under a second and without a time, documents that could not be judged
or were postponed, an undone judgement, a hidden repeat, practice, a decision, an assessor who was removed, and a model.
"""

import csv
import re
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from io import StringIO

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.collections.members import create_member
from assess.jobs import results
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Assignment, ImportedJudge, Judgement, JudgementKind, Role, Task, User
from assess.people.removal import remove_member
from assess.pools.assign import assign
from tests.assess.analysis.test_shift import RUNS
from tests.assess.claiming import fresh
from tests.factories import small_collection
from tests.html import compact
from tests.shared_rows import shared_rows

DOCUMENTS = ["1 a", "1 b", "1 c", "2 x", "2 y", "2 z"]
# a digit is a grade, x "cannot judge", l "later", u graded and undone, . not judged
GIVEN = {"ada": "210x1u", "ben": "00l112", "cleo": "11.0.x", "gpt": "211021"}
MILLISECONDS = {"ada": (400, 0, 2_600, 950, 12_000, 3_000), "ben": (250, 700, 900, 0, 61_000, 1_500)}
NOTHING = "–"


def build():
    collection = small_collection(RUNS, "campaign", grades=["0=no", "1=some", "2=much"], depth=3)
    owner = _member(collection, "olga", Role.OWNER)
    people = {name: _member(collection, name, Role.ASSESSOR) for name in GIVEN if name != "gpt"}
    assign(collection, 3)
    for name, member in people.items():
        times = MILLISECONDS.get(name, (5_000,) * 6)
        for document, given, active_ms in zip(DOCUMENTS, GIVEN[name], times, strict=True):
            _judge(member, document, given, active_ms)
    model = collection.members.create(name="gpt", role=Role.ASSESSOR)
    ImportedJudge.objects.create(member=model, kind="model")
    tasks = {document: _task(collection, document) for document in DOCUMENTS}
    now = timezone.now()
    graded = zip(DOCUMENTS, GIVEN["gpt"], strict=True)
    record_imported(
        [
            ImportedJudgement(model, tasks[name].pk, 0, JudgementInput("judged", int(grade)), now)
            for name, grade in graded
        ]
    )
    repeated = ImportedJudgement(people["ada"], tasks["1 a"].pk, 1, JudgementInput("judged", 0, active_ms=90_000), now)
    record_imported([repeated])
    for kind, judge, grade in ((JudgementKind.DECISION, owner, 2), (JudgementKind.PRACTICE, people["ben"], 0)):
        fields = {"state": "judged", "relevance": grade, "judged_at": now, "active_ms": 44_000}
        Judgement.objects.create(task=tasks["1 b"], member=judge, repeat=kind, **fields)
    remove_member(collection, "cleo", owner.user)
    return collection, owner


def _member(collection, name, role):
    return create_member(collection, User.objects.create_user(name), role, name)


def _task(collection, document):
    query_id, doc_id = document.split()
    return Task.objects.get(topic__collection=collection, topic__query_id=query_id, document__doc_id=doc_id)


def _judge(member, document, given, active_ms):
    if given == ".":
        return
    public_id = Assignment.objects.get(member=member, task=_task(member.collection, document)).public_id
    steps = {"x": [("cannot_judge", None, "broken")], "l": [("later", None, "")]}.get(given)
    if given == "u":
        steps = [("judged", 1, ""), ("undone", None, "")]
    for state, grade, reason in steps or [("judged", int(given), "")]:
        judgement = JudgementInput(state, grade, reason=reason, active_ms=active_ms)
        record_judgement(fresh(member), public_id, judgement, uuid.uuid4())


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    results.forget_all()
    with shared_rows(build, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture
def read(shared_site, settings, db, signed_in) -> Callable[..., str]:
    """A function that returns a page or a file as the owner gets it."""
    _, owner = shared_site.copy(settings)
    http = signed_in(owner)

    def read(name: str, *arguments: object, **query: object) -> str:
        response = http.get(reverse(f"research:{name}", args=["campaign", *arguments]), query)
        assert response.status_code == 200, response.content.decode()[:2000]
        return response.content.decode()

    return read


# ---- reading pages and files


def table(html: str, *headings: str) -> list[dict[str, str]]:
    """Return the rows of the first table with these headings, by heading; a missing number is empty."""
    for found in re.findall(r"<table.*?</table>", compact(html), re.S):
        head, _, body = found.partition("</thead>")
        labels = [_text(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", head)]
        if set(headings) <= set(labels):
            rows = [
                [_text(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
                for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body.partition("<tfoot>")[0])
            ]
            return [dict(zip(labels, row, strict=False)) for row in rows]
    raise AssertionError(f"There is no table with the headings {headings}.")


def _text(cell: str) -> str:
    text = unescape(re.sub(r"<[^>]*>", " ", cell)).strip()
    return "" if text in (NOTHING, "no time recorded") else re.sub(r"\s+", " ", text).replace("−", "-")


def csv_lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


def number(text: str, pattern: str) -> str:
    """Return the first group of a pattern in the text of a page."""
    words = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))
    return re.search(pattern, words)[1]


def by(rows: list[dict[str, str]], key: str, value: str, people_only: bool = False) -> dict[str, str]:
    names = {row[key].split(" ")[0]: row[value] for row in rows}
    return {name: shown for name, shown in names.items() if not people_only or name in MILLISECONDS | {"cleo": ()}}


def rounded(values: dict[str, str], digits: int) -> dict[str, str]:
    return {name: value and f"{float(value):.{digits}f}" for name, value in values.items()}


# ---- the figures, and where they are shown

Read = Callable[..., str]


@dataclass(frozen=True)
class Figure:
    """A figure, and the functions that read it from each page and file that shows it."""

    name: str
    places: dict[str, Callable[[Read], object]]


def of_overview(heading: str) -> Callable[[Read], object]:
    return lambda read: by(table(read("collection"), "assessor", "assigned"), "assessor", heading, True)


def of_work(heading: str) -> Callable[[Read], object]:
    return lambda read: by(table(read("work"), "assessor", "forecast"), "assessor", heading, True)


def of_work_csv(column: str) -> Callable[[Read], object]:
    return lambda read: by(csv_lines(read("work_assessors_csv")), "assessor", column, True)


def of_judges(heading: str) -> Callable[[Read], object]:
    return lambda read: by(table(read("agreement_judges"), "judge", "median seconds"), "judge", heading, True)


def of_judges_csv(column: str) -> Callable[[Read], object]:
    return lambda read: by(csv_lines(read("agreement_table", "judges", "csv")), "judge", column, True)


def of_work_topics(heading: str) -> Callable[[Read], object]:
    return lambda read: by(table(read("work"), "topic", "completeness"), "topic", heading)


def of_work_topics_csv(column: str) -> Callable[[Read], object]:
    return lambda read: by(csv_lines(read("work_topics_csv")), "query_id", column)


def of_stopping(heading: str) -> Callable[[Read], object]:
    return lambda read: by(table(read("stopping"), "topic", "completeness"), "topic", heading)


def regular_lines(read: Read) -> list[dict[str, str]]:
    """The lines of the file of all judgements without hidden repeats, practice and decisions."""
    lines = csv_lines(read("judgements_csv"))
    return [line for line in lines if line["repeat"] == "0" and not line["adjudicated"]]


def exported(state: str) -> Callable[[Read], object]:
    """The judgements of a state in the file of all judgements, by assessor."""

    def count(read: Read) -> object:
        counts = Counter(line["assessor"] for line in regular_lines(read) if line["state"] == state)
        return {name: str(counts[name]) for name in ("ada", "ben", "cleo")}

    return count


def listed(state: str) -> Callable[[Read], object]:
    """The documents that the links of a figure lead to."""

    def count(read: Read) -> object:
        query = {"judged": lambda name: {"judge_a": name, "rel": "all"}, "cannot_judge": lambda name: {state: name}}
        query["later"] = query["cannot_judge"]
        names = ("ada", "ben", "cleo")
        return {name: number(read("documents", **query[state](name)), r"(\d+) documents?\b") for name in names}

    return count


def work_grades(read: Read) -> object:
    rows = table(read("work"), "assessor", "forecast")
    return {row["assessor"].split(" ")[0]: re.findall(r"\d: (\d+)", row["grades"]) for row in rows if row["grades"]}


def judge_grades(read: Read) -> object:
    rows = table(read("agreement_judges"), "judge", "grade 0")
    return {row["judge"]: [row[f"grade {grade}"] for grade in range(3)] for row in rows if row["judge"] != "gpt"}


def pair_rows(read: Read) -> list[dict[str, str]]:
    return csv_lines(read("agreement_table", "pairs", "csv", rel="all"))


def pair_of(column: str, digits: int | None = 3) -> Callable[[Read], object]:
    def value(read: Read) -> object:
        values = {f"{row['judge_a']} and {row['judge_b']}": row[column] for row in pair_rows(read)}
        return values if digits is None else rounded(values, digits)

    return value


def shown_pair(heading: str) -> Callable[[Read], object]:
    def value(read: Read) -> object:
        rows = table(read("agreement", rel="all"), "judges", "later")
        return {name: shown.partition(" ±")[0] for name, shown in by_pair(rows, heading).items()}

    return value


def by_pair(rows: list[dict[str, str]], heading: str) -> dict[str, str]:
    return {row["judges"]: row[heading] for row in rows}


def pair_pages(pattern: str) -> Callable[[Read], object]:
    """A figure of the page of each pair."""

    def value(read: Read) -> object:
        html = read("agreement", rel="all")
        links = dict(re.findall(r'href="/c/campaign/agreement/(\d+/\d+)/[^"]*">(\w+ and \w+)<', html))
        shown = {}
        for keys, names in links.items():
            page = read("pair", *map(int, keys.split("/")), rel="all")
            shown[names] = re.search(pattern, page, re.S)[1].replace("−", "-")
        return shown

    return value


def agreement_csv(column: str) -> Callable[[Read], object]:
    def value(read: Read) -> object:
        lines = csv_lines(read("agreement_csv", rel="all"))
        rows = [line for line in lines if line["query_id"] == "" and line["across"] == "pooled"]
        column_of = {"percent_agreement": "observed"}.get(column, column)
        values = {f"{line['assessor_a']} and {line['assessor_b']}": line[column_of] for line in rows}
        return values if column == "n" else rounded(values, 3)

    return value


SHIFT = {"measure": "AP(rel=1)", "reference": "judge:ada", "against": "judge:cleo"}
TAU = {"measures": ["AP(rel=1)"]}


def shift_row(name: str, heading: str, first: str = "gold", second: str = "and") -> Callable[[Read], object]:
    """A cell of the comparison of the golds of ada and cleo."""

    def value(read: Read) -> object:
        golds = {"golds": ["judge:ada", "judge:cleo"]} if name != "shift_measures" else {}
        rows = table(read(name, **(SHIFT | TAU | golds)), first, heading)
        return next(row[heading] for row in rows if "judge:cleo" in (row[first], row.get(second)))

    return value


def shift_csv(name: str, column: str, digits: int | None = None) -> Callable[[Read], object]:
    def value(read: Read) -> object:
        lines = csv_lines(read("shift_table", name, "csv", **(SHIFT | TAU)))
        shown = next(line[column] for line in lines if (line["gold_a"], line["gold_b"]) == ("judge:ada", "judge:cleo"))
        return shown if digits is None else f"{float(shown):.{digits}f}"

    return value


def shown_scores(read: Read) -> object:
    """The scores beside the ranks; 0.0625, for example, must be rounded as in the files."""
    html = read("shift", **SHIFT, golds=["judge:ada", "judge:cleo"])
    return {row["system"]: row["judge:ada"].split()[-1] for row in table(html, "system", "judge:ada")}


def scores_in_file(read: Read) -> object:
    lines = csv_lines(read("shift_table", "ranks", "csv", **SHIFT))
    return {line["system"]: f"{float(line['score']):.3f}" for line in lines if line["gold"] == "judge:ada"}


def swaps(read: Read) -> object:
    return number(read("shift_swaps", **SHIFT), r"(\d+) of \d+ system pairs swap")


def swap_rows(read: Read) -> object:
    return str(len(csv_lines(read("shift_table", "swaps", "csv", **SHIFT))))


FIGURES = [
    Figure(
        "graded judgements",
        {
            "overview": lambda read: number(read("collection"), r"(\d+) graded judgements"),
            "agreement": lambda read: number(read("agreement"), r"(\d+) graded judgements"),
            "file of all judgements": lambda read: str(sum(line["state"] == "judged" for line in regular_lines(read))),
            "judges": lambda read: str(
                sum(int(row["judged"]) for row in table(read("agreement_judges"), "judge", "grade 0"))
            ),
        },
    ),
    Figure(
        "graded documents of an assessor",
        {
            "overview": of_overview("judged"),
            "work": of_work("judged"),
            "work as CSV": of_work_csv("judged"),
            "judges": of_judges("judged"),
            "judges as CSV": of_judges_csv("judged"),
            "people": lambda read: by(table(read("people"), "pseudonym", "judged"), "pseudonym", "judged", True),
            "file of all judgements": exported("judged"),
            "documents": listed("judged"),
        },
    ),
    Figure(
        "documents that an assessor could not judge",
        {
            "overview": of_overview("cannot judge"),
            "work": of_work("cannot judge"),
            "work as CSV": of_work_csv("cannot_judge"),
            "judges": of_judges("cannot judge"),
            "judges as CSV": of_judges_csv("cannot_judge"),
            "file of all judgements": exported("cannot_judge"),
            "documents": listed("cannot_judge"),
        },
    ),
    Figure(
        "postponed documents of an assessor",
        {
            "overview": of_overview("later"),
            "work": of_work("later"),
            "work as CSV": of_work_csv("later"),
            "judges": of_judges("later"),
            "judges as CSV": of_judges_csv("later"),
            "file of all judgements": exported("later"),
            "documents": listed("later"),
        },
    ),
    Figure(
        "cannot judge of all",
        {
            "agreement": lambda read: number(read("agreement"), r"(\d+) cannot judge"),
            "work": lambda read: number(read("work"), r"\((\d+) “cannot judge”\)"),
        },
    ),
    Figure("open tasks of an assessor", {"work": of_work("open"), "work as CSV": of_work_csv("open")}),
    Figure(
        "median seconds of an assessor",
        {
            "work": of_work("median seconds"),
            "work as CSV": lambda read: rounded(of_work_csv("median_seconds")(read), 1),
            "judges": of_judges("median seconds"),
            "judges as CSV": lambda read: rounded(of_judges_csv("seconds")(read), 1),
            "pace": lambda read: by(
                table(read("agreement_time"), "judge", "median seconds"), "judge", "median seconds"
            ),
        },
    ),
    Figure("grades of an assessor", {"work": work_grades, "judges": judge_grades}),
    Figure(
        "topics",
        {
            "overview": lambda read: number(read("collection"), r"(\d+) topics"),
            "topics": lambda read: number(read("topics"), r"(\d+) topics"),
            "topics as CSV": lambda read: str(len(csv_lines(read("topics_csv")))),
            "work": lambda read: str(len(table(read("work"), "topic", "completeness"))),
        },
    ),
    Figure(
        "runs",
        {
            "overview": lambda read: number(read("collection"), r"(\d+) runs"),
            "runs": lambda read: str(len(table(read("runs"), "run", "lines"))),
            "runs as CSV": lambda read: str(len(csv_lines(read("runs_csv")))),
            "shift": lambda read: number(read("shift", **SHIFT), r"(\d+) systems"),
        },
    ),
    Figure(
        "lines of the runs",
        {
            "overview": lambda read: number(read("collection"), r"runs, (\d+) lines"),
            "runs": lambda read: str(sum(int(row["lines"]) for row in table(read("runs"), "run", "lines"))),
        },
    ),
    Figure(
        "pooled tasks",
        {
            "overview": lambda read: number(read("collection"), r"(\d+) pooled tasks"),
            "work": lambda read: str(sum(int(n) for n in of_work_topics("documents")(read).values())),
            "stopping": lambda read: str(sum(int(n) for n in of_stopping("in the pool")(read).values())),
            "pool": lambda read: str(
                sum(int(row["tasks added"]) for row in table(read("pool"), "strategy", "tasks added"))
            ),
        },
    ),
    Figure("score of each system under the reference", {"shift": shown_scores, "ranks as CSV": scores_in_file}),
    Figure(
        "pooled documents of a topic", {"work": of_work_topics("documents"), "stopping": of_stopping("in the pool")}
    ),
    Figure("relevant documents of a topic", {"work": of_work_topics("relevant"), "stopping": of_stopping("relevant")}),
    Figure(
        "documents since the last relevant one",
        {"work": of_work_topics("since"), "stopping": of_stopping("since the last")},
    ),
    Figure(
        "graded judgements of a topic",
        {"work": of_work_topics("graded assignments"), "work as CSV": of_work_topics_csv("judged")},
    ),
    Figure(
        "median seconds of a topic",
        {
            "work": of_work_topics("median seconds"),
            "work as CSV": lambda read: rounded(of_work_topics_csv("median_seconds")(read), 1),
        },
    ),
    Figure(
        "documents that two judges have in common",
        {
            "agreement": shown_pair("n"),
            "pairs as CSV": pair_of("n", None),
            "agreement as CSV": agreement_csv("n"),
            "page of the pair": pair_pages(r'data-count="n">\s*(?:<a [^>]*>)?\s*(\d+)'),
        },
    ),
    *(
        Figure(
            heading,
            {
                "agreement": shown_pair(heading),
                "pairs as CSV": pair_of(column),
                "agreement as CSV": agreement_csv(column),
                "page of the pair": pair_pages(rf'data-figure="{column}">([^<]*)<'),
            },
        )
        for heading, column in (
            ("P(A)", "percent_agreement"),
            ("pooled kappa", "pooled_kappa"),
            ("unpooled (Cohen)", "cohen_kappa"),
        )
    ),
    Figure(
        "tau_b of two golds",
        {
            "shift": shift_row("shift", "tau_b"),
            "golds as CSV": shift_csv("golds", "tau_b", 3),
            "all golds": shift_row("shift_golds", "tau_b"),
            "measures as CSV": shift_csv("measures", "tau_b", 3),
        },
    ),
    Figure(
        "swapped pairs of two golds",
        {
            "shift": shift_row("shift", "swapped"),
            "golds as CSV": shift_csv("golds", "swapped"),
            "swapped pairs": swaps,
            "rows of the swapped pairs": swap_rows,
            "all golds": shift_row("shift_golds", "swapped"),
            "measures as CSV": shift_csv("measures", "swapped"),
        },
    ),
    Figure(
        "best system under the reference",
        {
            "shift": shift_row("shift", "best under the first"),
            "golds as CSV": shift_csv("golds", "top_a"),
            "measures as CSV": shift_csv("measures", "top_a"),
        },
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_a_figure_is_the_same_everywhere(read, figure):
    shown = {place: read_figure(read) for place, read_figure in figure.places.items()}
    first = next(iter(shown.values()))
    assert first not in ("", {}, [])
    assert shown == dict.fromkeys(shown, first)


@pytest.mark.slow
def test_the_collection_is_irregular(read):
    """The figures would agree on a collection without irregularities, whatever they leave out."""
    assert of_work("judged")(read) == {"ada": "4", "ben": "5", "cleo": "3"}
    assert of_work("cannot judge")(read) == {"ada": "1", "ben": "0", "cleo": "1"}
    assert of_work("later")(read)["ben"] == "1"
    # ada: 0.4, 2.6, 0.95 (cannot judge) and 12 s, a document without a time and one undone; ben: 0.25, 0.7, 61, 1.5 s
    assert of_work("median seconds")(read) == {"ada": "1.8", "ben": "1.1", "cleo": "5.0"}
