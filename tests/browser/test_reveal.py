"""The reveal: arrow keys and presentation remotes, projector and phone, no axe violations."""

import re

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from assess.teaching import clock
from assess.teaching.reveal.steps import STEPS
from tests.assess.classroom import signed_in_client
from tests.assess.judged_exercises import CLASS, PAIR, class_of_three, reload
from tests.browser.axe import problems

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def over(transactional_db):
    return class_of_three(binary=False, show_comments=True)


@pytest.fixture
def sit(context, live_server):
    """A function that signs a user in."""

    def sit(user):
        cookie = signed_in_client(user).cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}])

    return sit


@pytest.fixture
def screen(page, over, sit, live_server):
    sit(over.instructor)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(live_server.url + reverse("teach:reveal", args=[over.code]))
    expect(page.locator("[data-keys]")).to_be_attached()
    return page


def at_step(page, number: int) -> None:
    expect(page.locator(".steps .here")).to_have_text(re.compile(rf"^{number}\D"))
    expect(page.locator("[data-keys]")).to_be_attached()


def test_arrow_keys_change_the_step_except_in_fields(screen, over):
    screen.keyboard.press("ArrowRight")
    at_step(screen, PAIR)
    screen.focus("#b")
    screen.keyboard.press("ArrowLeft")
    screen.keyboard.press("Control+ArrowRight")
    screen.locator(".answer").click()
    screen.keyboard.press("ArrowRight")
    at_step(screen, CLASS)  # one further, not two
    screen.keyboard.press("ArrowLeft")
    at_step(screen, PAIR)
    assert reload(over).reveal_step == PAIR


def test_page_down_scrolls_to_the_end_before_the_next_step(screen):
    screen.keyboard.press("PageDown")
    at_step(screen, PAIR)
    assert screen.evaluate("() => document.documentElement.scrollHeight > innerHeight + 50 && scrollY === 0")
    screen.keyboard.press("PageDown")
    screen.wait_for_function("() => scrollY > 0")
    at_step(screen, PAIR)
    screen.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    screen.wait_for_function("() => scrollY + innerHeight > document.documentElement.scrollHeight - 2")
    screen.keyboard.press("PageDown")
    at_step(screen, CLASS)
    screen.wait_for_function("() => scrollY === 0")
    screen.keyboard.press("PageUp")
    at_step(screen, PAIR)


def test_steps_have_no_axe_violations_and_fit_the_screen(over, sit, page, live_server):
    sit(over.instructor)
    address = live_server.url + reverse("teach:reveal", args=[over.code])
    for number in range(len(STEPS) + 1):
        page.goto("about:blank")  # an open page would load itself again, which ends the visit
        clock.reveal(over, number)
        page.goto(address)
        assert problems(page) == []
    page.goto(f"{address}?print")
    assert problems(page) == []
    sit(over.seats.get(nickname="Ben").member.user)
    page.goto(live_server.url + reverse("join:seat", args=[over.code]))
    expect(page.get_by_text("Ben and Cem give the same grade")).to_be_visible()
    assert problems(page) == []
