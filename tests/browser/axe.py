"""Checks of a page on several screens: axe violations, and nothing that makes the page scroll sideways."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.examples import IS_THOROUGH

FIRST, *OTHERS = [("light", 1280, 850), ("dark", 390, 800), ("dark", 1280, 850), ("light", 390, 800)]


def problems(page: Page) -> list[str]:
    """Return the violations of the page as it is, and whether it is too wide for a phone.

    axe is slow: `make test-slow` runs it on one screen, `make test-all` light and dark, wide and narrow."""
    found = []
    for screen in (FIRST, *OTHERS):
        _set_screen(page, *screen)
        if screen == FIRST or IS_THOROUGH:
            found += _violations(page)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{page.url} scrolls sideways on a screen of {screen}")
    return found


def _set_screen(page: Page, scheme: str, width: int, height: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})


def _violations(page: Page) -> list[str]:
    rules = Axe().run(page).response["violations"]
    return [f"{page.url}: {rule['id']}: {node['html'][:150]}" for rule in rules for node in rule["nodes"]]
