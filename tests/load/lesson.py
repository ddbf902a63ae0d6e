"""A whole lesson, from the join code to the marks: students over HTTP and in browsers, and an instructor.

Each student has a thread. Each part ends before the next one begins, and its time is measured.
"""

import random
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tests.load.browser_student import BrowserStudent
from tests.load.browsing import Browser
from tests.load.students import ClassResults, Student

STEPS = 6
SHEET = "dcg"
PREDICTIONS = ("-0.1", "0.2", "0.45", "0.7", "1")
MOST_WAITS = 600  # of a tenth of a second, for the job that computes the reveal
FIELD = re.compile(r'name="text-([^"]+)"')


@dataclass
class Lesson:
    """The seconds of each part, the class screen of each step, and what the students and the instructor got.

    `own_pages` are the students' pages after the last step, and `predictions` the kappas that they expected, both by
    nickname. `judgements` and `marks` are the instructor's files.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    screens: dict[int, str] = field(default_factory=dict)
    step_seconds: list[float] = field(default_factory=list)
    own_pages: dict[str, str] = field(default_factory=dict)
    predictions: dict[str, float] = field(default_factory=dict)
    judgements: str = ""
    marks: str = ""
    results: ClassResults = field(default_factory=ClassResults)


class LearningStudent(Student):
    """A student who joins with the code, practises, judges, predicts, looks at the results and works on a sheet."""

    own_page = prediction = ""

    def join(self) -> None:
        self.browser = Browser(self.port)
        page = self.browser.page("/join/")
        page = self.browser.send("/join/", page, code=self.code.lower())
        seat = self.browser.send(f"/join/{self.code}/", page, nickname=self.nickname)
        answer = self.browser.send(f"/x/{self.code}/practice/", seat, grade=self.random.choice("01"))
        if "It is about tea." not in answer:
            raise RuntimeError(f"{self.nickname} does not see the explanation: {answer[:300]}")

    def judge(self) -> None:
        self.finish_judging(self.browser.page(f"/x/{self.code}/"))

    def predict(self) -> None:
        page = self.browser.page(f"/x/{self.code}/")
        self.prediction = self.random.choice(PREDICTIONS)
        self.browser.send(f"/x/{self.code}/prediction/", page, kappa=self.prediction)

    def look(self) -> None:
        self.own_page = self.browser.page(f"/x/{self.code}/")
        if "own-results" not in self.own_page:
            raise RuntimeError(f"{self.nickname} sees no own results")

    def work(self) -> None:
        """Answer a field of the worksheet, and let the page show the next step."""
        sheet = f"/x/{self.code}/sheet/{SHEET}/"
        page = self.browser.page(sheet)
        first, second, *_ = FIELD.findall(page)
        self.browser.send(f"{sheet}answer/", page, **{f"text-{first}": "1", "field": first})
        self.browser.send(f"{sheet}show/", page, field=second)

    def leave(self) -> None:
        """Nothing is open."""


class Instructor:
    def __init__(self, port: int, exercise: dict):
        self.browser, self.address = Browser(port, exercise["cookies"]), f"/teach/{exercise['code']}/"

    def act(self, action: str) -> None:
        self.browser.send(f"{self.address}action/{action}/", self.browser.page(self.address))

    def await_reveal(self) -> str:
        for _ in range(MOST_WAITS):
            page = self.browser.page(f"{self.address}reveal/")
            if "are being computed" not in page:
                return page
            time.sleep(0.1)
        raise RuntimeError("the reveal was not computed")

    def show(self, step: int) -> str:
        """Go to a step and return the class screen."""
        controls = self.browser.page(f"{self.address}reveal/")
        self.browser.send(f"{self.address}reveal/", controls, step=str(step))
        return self.browser.page(f"{self.address}screen/")


class Class:
    """All students, each with a thread of their own. Errors are collected in the results of the lesson.

    In the end all students leave, also after an error, so that no browser and no thread remains.
    """

    def __init__(self, students: Sequence[LearningStudent | BrowserStudent], results: ClassResults):
        self.results = results
        self.threads = [(student, ThreadPoolExecutor(max_workers=1)) for student in students]

    def __enter__(self) -> "Class":
        return self

    def __exit__(self, *_error: object) -> None:
        self.all("leave")
        for _, thread in self.threads:
            thread.shutdown()

    def all(self, part: str) -> None:
        """Let all students do a part at once."""
        calls = [thread.submit(self._collect_errors, student, part) for student, thread in self.threads]
        for call in calls:
            call.result()

    def _collect_errors(self, student: LearningStudent | BrowserStudent, part: str) -> None:
        try:
            getattr(student, part)()
        except Exception as problem:  # of any kind: it must not be lost with its thread
            self.results.errors.append(f"{student.nickname}, {part}: {problem!r}")


def run_lesson(
    port: int, exercise: dict, number_of_students: int, think: float, in_browsers: int = 0, seed: int = 1
) -> Lesson:
    """Run a lesson of students over HTTP, and of some more in browsers."""
    lesson, instructor = Lesson(), Instructor(port, exercise)
    code, results = exercise["code"], lesson.results
    over_http = [
        LearningStudent(port, code, f"student {number:02}", results, think, random.Random(f"{seed}:{number}"))
        for number in range(1, number_of_students + 1)
    ]
    browsers = [BrowserStudent(port, code, f"browser {number}", seed) for number in range(1, in_browsers + 1)]
    students = [*over_http, *browsers]
    with Class(students, results) as all_students:
        _run(lesson, instructor, all_students)
    lesson.own_pages = {student.nickname: student.own_page for student in students}
    lesson.predictions = {student.nickname: float(student.prediction) for student in students if student.prediction}
    return lesson


def _run(lesson: Lesson, instructor: Instructor, students: Class) -> None:
    _time(lesson, "join and practise", lambda: students.all("join"))
    instructor.act("start")
    _time(lesson, "judge", lambda: students.all("judge"))
    _time(lesson, "predict", lambda: students.all("predict"))
    instructor.act("end")
    lesson.judgements = instructor.browser.page(f"{instructor.address}judgements.csv")
    _time(lesson, "compute the reveal", instructor.await_reveal)
    for step in range(1, STEPS + 1):
        began = time.perf_counter()
        lesson.screens[step] = instructor.show(step)
        lesson.step_seconds.append(time.perf_counter() - began)
        _time(lesson, f"own results {step}", lambda: students.all("look"))
    instructor.act("open-worksheets")
    _time(lesson, "worksheets", lambda: students.all("work"))
    lesson.marks = instructor.browser.page(f"{instructor.address}marks.csv")


def _time(lesson: Lesson, part: str, call) -> None:
    began = time.perf_counter()
    call()
    lesson.seconds[part] = time.perf_counter() - began
