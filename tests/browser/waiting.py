"""Wait for the judging page, without Django: a benchmark uses this too."""

from playwright.sync_api import Page, expect


def settle(page: Page):
    """Wait until the current document can be judged, or none is left."""
    page.wait_for_selector("#document[data-judgeable], #document:has(#card[hidden])")


def saved(page: Page):
    """Expect the page to report that everything is saved."""
    expect(page.locator("#save")).to_have_text("✓ All saved")
