"""An owner invites somebody, who creates an account on a phone and is removed later; and the pages of site owners."""

import pytest
from playwright.sync_api import Page, expect

from assess.models import Member, Role, User
from assess.people.invitations import create
from assess.pools.assign import assign
from tests.browser.axe import problems
from tests.factories import SMALL_RUNS, small_collection

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def olga(join):
    return join(small_collection(SMALL_RUNS), "olga", Role.OWNER)


@pytest.mark.soak
def test_person_is_invited_joins_and_is_removed(page: Page, sign_in, olga, browser):
    root = sign_in(olga)
    page.goto(f"{root}/people/")
    assert problems(page) == []
    page.get_by_label("Note (optional)").fill("lab")
    page.get_by_role("button", name="Create the invitation").click()
    link = page.get_by_label("Link for 1").input_value()
    assert problems(page) == []
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status")).not_to_be_empty()

    phone = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    phone.goto(link)
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are invited to Small")
    assert problems(phone) == []
    phone.get_by_label("Name").fill("ada")
    phone.get_by_label("Password", exact=True).fill("right and long")
    phone.get_by_label("Password confirmation").fill("right and long")
    phone.get_by_label("Password confirmation").press("Enter")
    expect(phone.get_by_text("You are now a member of Small as an assessor.")).to_be_visible()
    phone.goto(link)
    expect(phone.get_by_role("heading", level=1)).to_have_text("You are already a member")
    assert problems(phone) == []

    assign(olga.collection, judges=1)
    page.goto(f"{root}/people/")
    page.get_by_role("link", name="assessor-1").click()
    assert problems(page) == []
    page.locator("summary", has_text="Remove").press("Enter")
    page.get_by_role("button", name="Remove assessor-1").press("Enter")
    expect(page.get_by_text("assessor-1 is removed")).to_be_visible()
    assert not Member.objects.filter(user__username="ada").exists()
    phone.reload()
    expect(phone.get_by_text("already been used")).to_be_visible()


def test_signed_in_user_accepts_by_keyboard(page: Page, live_server, sign_in_user, olga):
    ada = User.objects.create_user("ada")
    sign_in_user(ada, page.context)
    page.goto(f"{live_server.url}/invitation/{create(olga.collection, olga, Role.ASSESSOR)}/")
    assert problems(page) == []
    page.get_by_role("button", name="Accept").press("Enter")
    expect(page.get_by_text("You are now a member of Small as an assessor.")).to_be_visible()
    page.goto(f"{live_server.url}/c/small/leave/")
    assert problems(page) == []
    page.get_by_role("button", name="Leave", exact=True).press("Enter")
    expect(page.get_by_text("You left Small.")).to_be_visible()
    assert problems(page) == []


def test_site_owner_deactivates_an_account(page: Page, live_server, sign_in_user, olga):
    root = User.objects.create_superuser("root")
    sign_in_user(root, page.context)
    page.goto(live_server.url)
    assert problems(page) == []
    page.get_by_role("link", name="Collections of the site").click()
    assert problems(page) == []
    page.goto(live_server.url)
    page.get_by_role("link", name="People of the site").click()
    page.get_by_label("Name or email address").fill("olg")
    page.get_by_label("Name or email address").press("Enter")
    assert problems(page) == []
    page.get_by_role("link", name="olga").click()
    assert problems(page) == []
    page.locator("summary", has_text="Deactivate").press("Enter")
    page.get_by_role("button", name="Deactivate the account").press("Enter")
    expect(page.get_by_text("olga can no longer sign in")).to_be_visible()
    assert not User.objects.get(username="olga").is_active
