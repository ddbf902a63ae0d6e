"""The process that sanitises HTML: its limits, and what happens to documents that exceed them."""

import multiprocessing

import pytest

from assess.documents import sanitiser_process
from assess.documents.sanitiser import sanitise
from assess.documents.sanitiser_process import SanitiserProcess

PAGE = "<h1>Tea</h1><p onclick=x>Green <b>tea</b>."
# nh3 takes half a minute for this.
SLOW = "".join(f"<html a{number}=1>" for number in range(50_000))
# Browsers repeat open elements in each paragraph: 32 kB become 26 MB.
GROWING = f"<p>{''.join(f'<font color={number}>' for number in range(1_000))}</p>{'<p>x</p>' * 2_000}"


@pytest.fixture(scope="module")
def process():
    with SanitiserProcess(seconds=0.5) as process:
        yield process


def test_result_is_that_of_the_sanitiser(process):
    assert process.sanitise([PAGE, ""]) == [sanitise(PAGE), ""]
    assert process.sanitise([]) == []


@pytest.mark.slow
@pytest.mark.parametrize("hostile", [SLOW, GROWING], ids=["slow", "growing"])
def test_only_documents_beyond_the_limits_are_refused(process, hostile):
    assert process.sanitise([PAGE, hostile, "<p>b"]) == [sanitise(PAGE), None, "<p>b</p>"]


@pytest.mark.soak
def test_memory_is_limited():
    with SanitiserProcess(megabytes=300) as process:
        assert process.sanitise(["x" * 400_000_000]) == [None]
        assert process.sanitise([PAGE]) == [sanitise(PAGE)]


def test_killed_process_is_started_again():
    with SanitiserProcess() as process:
        children = set(multiprocessing.active_children())
        process.sanitise([PAGE])
        [child] = set(multiprocessing.active_children()) - children
        child.kill()
        child.join()
        assert process.sanitise([PAGE]) in ([None], [sanitise(PAGE)])
        assert process.sanitise([PAGE]) == [sanitise(PAGE)]


def test_process_ends_with_the_block():
    children = multiprocessing.active_children()  # those of other tests
    with SanitiserProcess() as process:
        process.sanitise([PAGE])
    assert multiprocessing.active_children() == children


def test_process_that_does_not_start_refuses_documents(monkeypatch):
    monkeypatch.setattr(sanitiser_process, "TO_START", 0)
    with SanitiserProcess() as process:
        assert process.sanitise([PAGE, PAGE]) == [None, None]
