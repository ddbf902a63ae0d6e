"""What the database must hold after the load, whatever happened during it."""

from collections import Counter

from tests.load.server import Server

OPEN_STATES = {"later", "undone"}


def check(server: Server, lines: list[dict], k: int) -> None:
    """Compare what assessors were told with what is there: nothing lost, nothing doubled, nobody over k."""
    held = server.tell("-m", "tests.load.load_collection", "look")
    _ledger_is_what_was_acknowledged(held["events"], lines)
    _judgements_are_their_last_events(held["events"])
    _every_task_has_its_judges(held, k)
    assert held["differences"] == []


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


def _every_task_has_its_judges(held: dict, k: int) -> None:
    given = Counter((each["task"], each["member"], each["repeat"]) for each in held["assignments"])
    assert set(given.values()) == {1}
    judged = Counter(each["task"] for each in held["assignments"] if each["state"] == "judged")
    holding = Counter(each["task"] for each in held["assignments"] if each["holds_place"])
    for task in held["tasks"]:
        assert task["wanted"] == task["taken"] == k == judged[task["pk"]] == holding[task["pk"]], task
