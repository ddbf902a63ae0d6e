"""A student with a real browser, who does what the students of `tests.load.lesson` do over HTTP."""

import random

from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser import chromium
from tests.browser.waiting import settle

PATIENCE = 60_000  # milliseconds; forty others use the same machine


class BrowserStudent:
    """All calls must come from one thread, because Playwright's objects belong to the thread that makes them."""

    def __init__(self, port: int, code: str, nickname: str, seed: int):
        self.url, self.code, self.nickname = f"http://127.0.0.1:{port}", code, nickname
        self.random = random.Random(f"{seed}:{nickname}")
        self.errors: list[str] = []
        self.steps = 0
        self.own_page = self.prediction = ""
        self.playwright: Playwright | None = None
        self.browser: Browser | None = None

    def join(self) -> None:
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        self.page: Page = self.browser.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{self.url}/join/")
        self.page.get_by_label("Exercise code").fill(self.code.lower())
        self.page.get_by_role("button", name="Continue").click()
        self.page.get_by_label("Your nickname").fill(self.nickname)
        self.page.get_by_role("button", name="Join").click()
        self.page.locator('button[name="grade"]').nth(self.random.randrange(2)).click()
        expect(self.page.get_by_text("It is about tea.")).to_be_visible(timeout=PATIENCE)

    def judge(self) -> None:
        """Judge all documents of both topics by keyboard."""
        self.page.get_by_role("link", name="Judge", exact=True).click()
        settle(self.page)
        while self.page.locator("#card").is_visible():
            self.page.keyboard.press(self.random.choice("01"))
            settle(self.page)
        expect(self.page.locator("#save")).to_have_text("✓ All saved", timeout=PATIENCE)

    def predict(self) -> None:
        self.page.goto(f"{self.url}/x/{self.code}/")
        self.prediction = self.random.choice(("-0.1", "0.2", "0.7"))
        self.page.locator('[name="kappa"]').fill(self.prediction)
        self.page.locator('[name="kappa"]').press("Enter")
        expect(self.page.get_by_role("button", name="Change")).to_be_visible(timeout=PATIENCE)

    def look(self) -> None:
        """Wait for the own results of one more step. The page shows them by itself."""
        self.steps += 1
        expect(self.page.locator(".own-results h2")).to_have_count(self.steps, timeout=PATIENCE)
        self.own_page = self.page.content()

    def work(self) -> None:
        """Answer a field of the worksheet, and let the page show the next step."""
        self.page.locator('a[href$="/sheet/dcg/"]').click()  # the page shows the link by itself
        field = self.page.locator('input[name^="text-"]').first
        field.fill("1")
        field.press("Tab")
        expect(self.page.locator(".feedback").first).not_to_be_empty(timeout=PATIENCE)

    def leave(self) -> None:
        """Close what is open. An error of a script fails the lesson."""
        try:
            if self.browser:
                self.browser.close()
        finally:
            if self.playwright:
                self.playwright.stop()
        if self.errors:
            raise RuntimeError(f"{self.nickname}: {self.errors}")
