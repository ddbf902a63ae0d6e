"""After the session has expired or another user has signed in, the page keeps judgements and asks for the password."""

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.socialaccount.models import SocialAccount
from playwright.sync_api import expect

from assess.lib.openid import OpenIdProvider, openid_apps
from assess.models import JudgementEvent
from assess.pools.assign import assign
from tests.assess.openid_server import CLIENT, SECRET, running_provider
from tests.browser.judging_page import ledger, press, queue, saved, settle
from tests.factories import set_content

pytestmark = pytest.mark.django_db(transaction=True)

REASON = "#sign-in-reason"


@pytest.fixture
def provider(settings):
    """An OpenID Connect provider that the site uses, as a process of its own."""
    with running_provider() as provider:
        settings.OPENID_PROVIDER = OpenIdProvider(provider.url, CLIENT, SECRET, "the lab", frozenset())
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": openid_apps(settings.OPENID_PROVIDER)}
        yield provider


def fill_in(page, password):
    page.fill("#sign-in input[type=password]", password)
    page.click("#sign-in button")


def test_judgements_are_sent_after_signing_in_on_the_page(judging_page, ada, context):
    order = queue(ada)
    press(judging_page, "1", "2")
    saved(judging_page)
    context.clear_cookies()
    press(judging_page, "0", "1")
    expect(judging_page.locator(REASON)).to_have_text("You are signed out. Sign in as ada to send 2 judgements.")
    expect(judging_page.locator("#save")).to_have_text("Waiting: 2 not sent yet, you are signed out")
    press(judging_page, "2")  # judging continues
    expect(judging_page.locator(REASON)).to_contain_text("to send 3 judgements")
    held = []
    judging_page.route("**/sign-in/", lambda route: route.continue_() if held else held.append(route))
    fill_in(judging_page, "a wrong password")
    expect(judging_page.locator("#sign-in-error")).to_have_text("Checking the password …")
    held[0].continue_()
    expect(judging_page.locator("#sign-in-error")).to_contain_text("Wrong name or password")
    assert len(ledger()) == 2
    fill_in(judging_page, "a long password")
    saved(judging_page)
    expect(judging_page.locator("#sign-in")).to_be_hidden()
    assert ledger() == [(doc_id, "judged", grade) for doc_id, grade in zip(order[:5], [1, 2, 0, 1, 2], strict=True)]
    settle(judging_page)
    press(judging_page, "0")
    saved(judging_page)


def test_digit_in_the_password_judges_nothing(judging_page, ada, context):
    context.clear_cookies()
    press(judging_page, "1")
    judging_page.click("#sign-in input[type=password]")
    press(judging_page, *"012")
    fill_in(judging_page, "a long password")
    saved(judging_page)
    assert len(ledger()) == 1


def test_signing_in_fetches_the_next_documents(judging_page, ada, context):
    press(judging_page, *"1" * 9)
    saved(judging_page)
    judging_page.route("**/next/**", lambda route: (context.clear_cookies(), route.continue_()), times=1)
    press(judging_page, "1")
    expect(judging_page.locator(REASON)).to_contain_text("You are signed out. Sign in as ada")
    fill_in(judging_page, "a long password")
    saved(judging_page)
    press(judging_page, *"1" * 14)
    expect(judging_page.locator("#finished")).to_be_visible()
    saved(judging_page)
    assert len(ledger()) == 18


def test_page_continues_after_sign_in_in_another_tab(judging_page, context):
    cookies = context.cookies()
    context.clear_cookies(name="sessionid")
    press(judging_page, "2")
    expect(judging_page.locator(REASON)).to_contain_text("You are signed out")
    assert ledger() == []
    context.add_cookies(cookies)
    saved(judging_page)
    expect(judging_page.locator("#sign-in")).to_be_hidden()
    assert len(ledger()) == 1


@pytest.mark.parametrize("is_member", [True, False])
def test_judgement_is_never_saved_under_another_user(
    judging_page, ada, context, join, live_server, django_user_model, is_member
):
    """Another user signs in in another tab: the judgement waits for the user who made it."""
    zoe = join(ada.collection, "zoe").user if is_member else django_user_model.objects.create_user("zoe")
    assign(ada.collection, judges=1 + is_member)
    zoe.set_password("zoe's password")
    zoe.save()
    context.clear_cookies()
    other_tab = context.new_page()
    other_tab.goto(f"{live_server.url}/account/sign-in/")
    other_tab.fill("#id_username", "zoe")
    other_tab.fill("#id_password", "zoe's password")
    other_tab.click("main button")
    other_tab.wait_for_url(f"{live_server.url}/")
    judging_page.bring_to_front()
    press(judging_page, "2")
    expect(judging_page.locator(REASON)).to_contain_text("Another user has signed in with this browser")
    assert not JudgementEvent.objects.exists()
    fill_in(judging_page, "a long password")
    saved(judging_page)
    assert JudgementEvent.objects.get().member == ada


def test_fetching_a_text_asks_for_the_password_and_retries(page, sign_in, ada, context):
    set_content(ada.collection.documents.all(), text="a long story " * 10_000)
    page.goto(f"{sign_in(ada)}/judge/")
    page.route("**/document/", lambda route: route.abort())
    page.click("text=Start judging")
    expect(page.locator("#doc-failed")).to_be_visible()
    context.clear_cookies()
    page.unroute("**/document/")
    page.click("#doc-retry")
    expect(page.locator(REASON)).to_have_text("You are signed out. Sign in as ada to continue.")
    fill_in(page, "a long password")
    settle(page)
    expect(page.locator("#doc-body")).to_contain_text("a long story")
    press(page, "1")
    saved(page)
    assert len(ledger()) == 1


def test_code_of_the_second_factor_is_asked_for_in_place(judging_page, ada, context):
    secret = generate_totp_secret()
    TOTP.activate(ada.user, secret)
    press(judging_page, "1")
    saved(judging_page)
    context.clear_cookies()
    press(judging_page, "0")
    expect(judging_page.locator(REASON)).to_contain_text("You are signed out")
    fill_in(judging_page, "a long password")
    code = judging_page.locator("#sign-in [name=code]")
    expect(code).to_be_focused()
    expect(judging_page.locator("#sign-in [name=password]")).to_be_hidden()
    assert len(ledger()) == 1
    code.press_sequentially("012")  # digits in the field judge nothing
    code.fill("000000")
    judging_page.click("#sign-in button")
    expect(judging_page.locator("#sign-in-error")).to_contain_text("This code is wrong")
    code.fill(next_code(secret))
    judging_page.click("#sign-in button")
    saved(judging_page)
    expect(judging_page.locator("#sign-in")).to_be_hidden()
    assert len(ledger()) == 2


def next_code(secret: str) -> str:
    """The code that an app shows after the present one, which is accepted for a minute."""
    *_, counter = yield_hotp_counters_from_time()
    return format_hotp_value(hotp_value(secret, counter))


def test_provider_signs_in_in_a_second_window(judging_page, ada, context, provider):
    SocialAccount.objects.create(user=ada.user, provider="openid", uid="17")
    provider.become(sub="17")
    judging_page.reload()
    settle(judging_page)
    context.clear_cookies()
    press(judging_page, "0")
    with context.expect_page() as opened:
        judging_page.click("text=Sign in with the lab in another window")
    window = opened.value
    window.click("text=Sign in with the lab")
    expect(window.locator("h1")).to_have_text("You are signed in")
    judging_page.bring_to_front()
    saved(judging_page)
    expect(judging_page.locator("#sign-in")).to_be_hidden()
    assert len(ledger()) == 1


def test_provider_that_signs_in_somebody_else_saves_nothing(judging_page, ada, context, provider, join):
    zoe = join(ada.collection, "zoe").user
    SocialAccount.objects.create(user=zoe, provider="openid", uid="18")
    provider.become(sub="18")
    judging_page.reload()
    settle(judging_page)
    context.clear_cookies()
    press(judging_page, "0")
    with context.expect_page() as opened:
        judging_page.click("text=Sign in with the lab in another window")
    opened.value.click("text=Sign in with the lab")
    expect(opened.value.locator("h1")).to_have_text("You are signed in")
    judging_page.bring_to_front()
    expect(judging_page.locator(REASON)).to_contain_text("Another user has signed in with this browser")
    assert ledger() == []


def test_only_long_texts_have_a_long_timeout(judging_page):
    """The server sends headers at once and the body after four times the page's timeout."""
    got = judging_page.evaluate("""async () => {
      const { Server } = await import("/static/assess/judging/server.js");
      const timeout = 100;
      window.fetch = async (address, { signal }) => new Response(new ReadableStream({
        start(stream) {
          signal.addEventListener("abort", () => stream.error(signal.reason));
          const rest = () => {
            if (signal.aborted) return;
            stream.enqueue(new TextEncoder().encode('{"text": "long"}'));
            stream.close();
          };
          setTimeout(rest, 4 * timeout);
        },
      }));
      const server = new Server({ user: 1, signInAddress: "/", timeout });
      return [await server.get("/document/", true), await server.get("/next/")];
    }""")
    assert got == [{"data": {"text": "long"}}, {"wait": "trouble"}]
