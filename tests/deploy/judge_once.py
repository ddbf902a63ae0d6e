"""`python -m tests.deploy.judge_once`: judges documents of a small collection through the pages, with DATABASE_URL."""

import django

django.setup()

from django.test import Client  # noqa: E402

from assess.collections.members import add_member  # noqa: E402
from assess.judging.ledger import ledger_problems  # noqa: E402
from assess.models import JudgementEvent, Role  # noqa: E402
from assess.people.erasure import erase  # noqa: E402
from assess.pools.assign import assign  # noqa: E402
from tests.assess.web.judge.test_judging_page import form_of, page_of  # noqa: E402
from tests.factories import SMALL_RUNS, small_collection  # noqa: E402


def main() -> None:
    collection = small_collection(SMALL_RUNS)
    ada, bob = (add_member(collection, name, Role.ASSESSOR)[0] for name in ("ada", "bob"))
    assign(collection, judges=2)
    for member in (ada, bob):
        judge(member)
    erase([bob], "to test it")
    print(f"{JudgementEvent.objects.count()} event, {len(list(ledger_problems()))} problems")


def judge(member) -> None:
    client = Client(headers={"host": "localhost"})
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    action, hidden = form_of(client.get(page_of(member)).content.decode())
    answer = client.post(action, hidden | {"relevance": "1"})
    assert answer.status_code == 302, answer.content


if __name__ == "__main__":
    main()
