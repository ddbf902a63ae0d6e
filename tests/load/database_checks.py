"""Checks of the database after the load."""

from collections import Counter

from tests.load.server import Server

PRACTICE, CHECK = 5, 6  # kinds of judgements
OPEN_STATES = {"later", "undone"}


def check(server: Server, lines: list[dict], k: int, *, is_complete: bool = True) -> None:
    """Assert that every acknowledged judgement is saved once and that no task has more than k judges."""
    saved = server.run_json("-m", "tests.load.load_collection", "look")
    _ledger_is_what_was_acknowledged(saved["events"], lines)
    _judgements_are_their_last_events(saved["events"])
    if is_complete:
        _every_task_has_its_judges(saved, k)
    assert saved["differences"] == []


def _ledger_is_what_was_acknowledged(events: list[dict], lines: list[dict]) -> None:
    names = ("task", "client_id", "state", "relevance")
    acknowledged = Counter(tuple(line[name] for name in names) for line in lines if line["outcome"] == "kept")
    assert Counter(tuple(event[name] for name in names) for event in events) == acknowledged
    assert max(acknowledged.values()) == 1
    dropped = {line["client_id"] for line in lines if line["outcome"] == "drop"}
    assert not dropped & {event["client_id"] for event in events}


def _judgements_are_their_last_events(events: list[dict]) -> None:
    chains: dict[str, list[dict]] = {}
    for event in events:
        chains.setdefault(event["task"], []).append(event)
    for chain in chains.values():
        before = ["", None]
        for version, event in enumerate(chain, start=1):
            assert event["version"] == version
            assert [event["before_state"], event["before_relevance"]] == before
            before = [event["state"], event["relevance"]]
        assert chain[-1]["now"] == [len(chain), *before]


def _every_task_has_its_judges(saved: dict, k: int) -> None:
    assignments = Counter((each["task"], each["member"], each["repeat"]) for each in saved["assignments"])
    assert set(assignments.values()) == {1}
    regular = [each for each in saved["assignments"] if each["repeat"] == 0]
    judged = Counter(each["task"] for each in regular if each["state"] == "judged")
    holding = Counter(each["task"] for each in saved["assignments"] if each["holds_place"])
    for task in saved["tasks"]:
        assert task["wanted"] == task["taken"] == k == judged[task["pk"]] == holding[task["pk"]], task
    _everyone_has_practised_and_been_checked(saved)


def _everyone_has_practised_and_been_checked(saved: dict) -> None:
    members = {each["member"] for each in saved["assignments"]}
    for kind, use in ((PRACTICE, "practice"), (CHECK, "check")):
        assigned = [each for each in saved["assignments"] if each["repeat"] == kind]
        own = Counter(each["member"] for each in assigned)
        assert set(own) == members
        assert set(own.values()) == {saved["known"][use]}
        assert {each["state"] for each in assigned} <= {"judged", "cannot_judge"}
