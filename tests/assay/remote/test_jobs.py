"""Jobs: waiting for a chain of them, failures, and Ctrl-C."""

import time

import pytest

from assay.remote import SiteError
from tests.assay.remote.conftest import COLLECTION


def job(name: str, state: str, result=None, error: str = "", done: int = 0) -> dict:
    return {
        "id": name,
        "kind": "import_runs",
        "state": state,
        "stage": "Importing <runs>",
        "done": done,
        "total": 3,
        "result": result,
        "error": error,
    }


@pytest.fixture
def job_with(site_with):
    """A function that returns a job whose later answers are these."""

    def job_with(*answers):
        site, fake = site_with(COLLECTION, *answers)
        return site.collection("robust").job("first"), fake

    return job_with


def test_waiting_follows_the_jobs_of_the_next_kinds(job_with, waits):
    first = job("first", "done", {"kind": "topics", "next_job": "second"})
    second = job("second", "done", {"kind": "runs", "next_job": ""})
    waiting, fake = job_with(job("first", "waiting"), job("first", "running"), first, job("second", "running"), second)
    assert waiting.wait(progress=False).state == "done"
    assert [result["kind"] for result in waiting.results] == ["topics", "runs"]
    assert waits == [1, 1, 1]
    assert fake.paths[-1] == "GET /collections/robust/jobs/second"


def test_a_progress_bar_has_the_stage(job_with, waits, capsys):
    running, _ = job_with(job("first", "running", done=1), job("first", "done", {}, done=3))
    running.wait()
    assert "Importing <runs>" in capsys.readouterr().err


def test_no_progress_bar_if_nobody_wants_it(job_with, waits, capsys):
    job_with(job("first", "running"), job("first", "done", {}))[0].wait(progress=False)
    assert capsys.readouterr().err == ""


def test_a_failed_job_is_an_error_with_its_sentence(job_with, waits):
    with pytest.raises(SiteError, match=r"^a.run, line 3: no score\.$"):
        job_with(job("first", "failed", error="a.run, line 3: no score."))[0].wait(progress=False)


def test_a_cancelled_job_is_an_error(job_with):
    running, fake = job_with(job("first", "running"), job("first", "cancelled"))
    assert running.cancel().is_open is False
    assert fake.paths[-1] == "DELETE /collections/robust/jobs/first"
    with pytest.raises(SiteError, match="was cancelled"):
        running.wait(progress=False)


def test_ctrl_c_leaves_the_job_running_and_says_how_to_wait_again(job_with, monkeypatch, capsys):
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    running, fake = job_with(job("first", "running"))
    monkeypatch.setattr(time, "sleep", interrupt)
    with pytest.raises(KeyboardInterrupt):
        running.wait(progress=False)
    message = capsys.readouterr().err
    assert "site.collection('robust').job('first').wait()" in message
    assert "`assay remote wait --collection robust first`" in message
    assert not [path for path in fake.paths if path.startswith("DELETE")]


def test_a_timeout_leaves_the_job_running(job_with, waits):
    with pytest.raises(TimeoutError, match="The job goes on"):
        job_with(job("first", "running"))[0].wait(progress=False, timeout=0)


def test_a_card_is_escaped(job_with):
    html = job_with(job("first", "done", {"notes": "<script>"}))[0]._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<runs>" not in html
