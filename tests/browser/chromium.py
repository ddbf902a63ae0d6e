"""A Chromium for the browser tests: `python -m tests.browser.chromium` finds one or installs one.

Playwright's own build is tried first; where it cannot be fetched, the distribution's package.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Quiet towards the network, and without the sandbox that a container's root user cannot have.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """Path of a Chromium: the distribution's, or Playwright's own."""
    return next((path for name in NAMES if (path := shutil.which(name))), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    """Install a Chromium. The installers print their own errors."""
    if subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"]).returncode == 0:
        return
    apt, root = shutil.which("apt-get"), [] if os.geteuid() == 0 else ["sudo"]
    if apt:
        subprocess.run([*root, apt, "update"], check=False)
        for package in ("chromium-headless-shell", "chromium"):  # the shell needs less CPU
            if subprocess.run([*root, apt, "install", "-y", "--no-install-recommends", package]).returncode == 0:
                return


if __name__ == "__main__":
    if not find():
        install()
    if not find():
        sys.exit("No Chromium was found and none could be installed; install one, then run the tests again.")
