"""Checks of a page on several screens: axe violations, and nothing that makes the page scroll sideways."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.examples import IS_THOROUGH

# `make test-all` checks the other two combinations too, with all rules on every screen.
SCREENS = [("light", 1280, 850), ("dark", 390, 800)]
OTHERS = [("dark", 1280, 850), ("light", 390, 800)]
ALL_RULES, RULES_OF_SCREENS = None, {"runOnly": ["color-contrast", "target-size", "scrollable-region-focusable"]}


def problems(page: Page) -> list[str]:
    """Return the violations of the page as it is, light and dark, wide and narrow."""
    found = []
    for number, (scheme, width, height) in enumerate(SCREENS + OTHERS * IS_THOROUGH):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        found += violations(page, ALL_RULES if number == 0 or IS_THOROUGH else RULES_OF_SCREENS)
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{page.url} scrolls sideways at a width of {width}")
    return found


def violations(page: Page, options: dict | None) -> list[str]:
    response = Axe().run(page, options=options).response
    return [
        f"{page.url}: {rule['id']}: {node['html'][:150]}" for rule in response["violations"] for node in rule["nodes"]
    ]
