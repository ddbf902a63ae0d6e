"""No page has axe violations, light and dark, wide and narrow; no page has script errors or server errors."""

import pytest
from playwright.sync_api import Page

from assess.collections.run_groups import group_runs
from assess.collections.topic_sets import set_topics
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.judging.worklist import topics_with_progress
from assess.models import ROLES_OF_PEOPLE, Role, Task
from assess.pools.assign import assign
from tests.assess.releases.stored import small_release
from tests.assess.status.well import make_well, verify
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def judged(join):
    """A graded collection with two judges who partly disagree, and a member of each role."""
    from django.utils import timezone

    collection = small_collection(SMALL_RUNS, grades=["0=none", "1=some", "2=much", "3=all of it:completely"])
    people = {role: join(collection, role.value, role) for role in ROLES_OF_PEOPLE}
    assign(collection, judges=1)
    judges = [collection.members.create(name=name, role=Role.ASSESSOR) for name in ("first", "second")]
    record_imported(
        [
            ImportedJudgement(judge, task.pk, 0, JudgementInput("judged", (task.pk * (place + 2)) % 4), timezone.now())
            for place, judge in enumerate(judges)
            for task in Task.objects.all()
        ]
    )
    return collection, people, judges


def addresses(collection, people, judges) -> dict:
    topic, _ = topics_with_progress(people[Role.ASSESSOR])[0]
    set_topics(collection, [topic.query_id], "test")
    group_runs(collection, list(collection.runs.values_list("system", flat=True))[:2], "repeated")
    root = f"/c/{collection.slug}"
    return {
        Role.ASSESSOR: [
            *("/", f"{root}/judge/", f"{root}/judge/{topic.pk}/", f"{root}/shift/", "/no-such-page"),
            *(f"{root}/judge/judgements/", f"{root}/judge/judgements/?grade=nonsense", f"{root}/judge/recorded/"),
            "/account/settings/",
        ],
        Role.OWNER: [
            "/",
            *(f"{root}/{page}" for page in ("", "judging/", "pool/", "topics/", "runs/", "marginal/")),
            *(f"{root}/{page}/" for page in ("people", "adjudication", "baselines", "near-duplicates", "import")),
            *(f"{root}/search/{page}" for page in ("", "report/", "report/documents/")),
            *(f"{root}/work/{page}/" for page in ("people", "assign", "calibration", "stopping", "stopping/sample")),
            *(f"{root}/settings/", f"{root}/settings/delete/"),
            *(f"{root}/pool/?preview=1&strategy={name}" for name in ("rrf&size=3", "nonsense", "every_document")),
            *(f"{root}/{page}/?set=test" for page in ("agreement", "documents", "shift")),
            *(f"{root}/agreement/{query}" for query in ("", "?rel=all", "?rel=nonsense")),
            *(f"{root}/agreement/{page}/" for page in ("topics", "judges", "time")),
            f"{root}/agreement/{judges[0].pk}/{judges[1].pk}/?rel=all",
            f"{root}/documents/",
            f"{root}/documents/?order=leverage&distance=1",
            f"{root}/documents/?order=nonsense",
            f"{root}/documents/{topic.tasks.earliest('pk').pk}/",
            f"{root}/shift/",
            f"{root}/shift/?measure=nonsense",
            *(f"{root}/shift/{page}/" for page in ("golds", "swaps", "swap", "leverage", "mixed", "intervals")),
            *(f"{root}/shift/{page}/" for page in ("measures", "differences", "topics")),
            f"{root}/releases/",
            f"{root}/releases/?name=main&rule=majority",
            f"{root}/releases/{small_release(collection).pk}/",
            f"{root}/audit/",
            f"{root}/audit/?action=nonsense",
        ],
        Role.INSTRUCTOR: ["/teach/", "/account/password/"],
        Role.RESEARCHER: [
            "/teach/",
            *(f"/account/{page}/" for page in ("settings", "email", "sessions", "confirm", "two-factor")),
        ],
    }


def test_pages_have_no_axe_violations(page: Page, sign_in, judged, live_server):
    _, people, _ = judged
    errors, found = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda got: got.status >= 500 and errors.append(f"{got.status} {got.url}"))
    page.goto(f"{live_server.url}/account/sign-in/")
    found += problems(page)
    for role, paths in addresses(*judged).items():
        sign_in(people[role])
        for path in paths:
            page.goto(f"{live_server.url}{path}")
            for details in page.locator("details").all():
                details.evaluate("element => { element.open = true; }")
            found += problems(page)
        page.context.clear_cookies()
    assert found == []
    assert errors == []


def test_pages_of_site_owners_have_no_axe_violations(page: Page, sign_in, join, collection, live_server, settings):
    owner = join(collection, "root", Role.OWNER)
    owner.user.is_superuser = True
    owner.user.save()
    sign_in(owner)
    make_well(settings)
    verify(differences=2)
    found = []
    for path in ("people", f"people/{owner.user.pk}", "collections", "status"):
        page.goto(f"{live_server.url}/site/{path}/")
        assert page.locator("h1").inner_text() != "Page not found"
        found += problems(page)
    assert found == []
