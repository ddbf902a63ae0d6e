"""The secure defaults of a production site."""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from assess.lib.client_ip import ip_before_proxy
from tests.migrated_once import kept_database

PROJECT = Path(__file__).resolve().parents[3]


def production(tmp_path, *arguments, **environment):
    """Run a command of a site with only a data folder configured."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=kept | {"ASSAY_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "assess.settings"} | environment,
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
def test_deployment_check_reports_no_issues(tmp_path):
    done = production(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "INFO")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "System check identified no issues (0 silenced)."


@pytest.mark.slow
def test_secret_key_is_created_once_and_private(tmp_path):
    show = "import django; django.setup(); from django.conf import settings; print(settings.SECRET_KEY, settings.DEBUG)"
    first, second = (production(tmp_path, "-c", show).stdout for _ in range(2))
    assert first == second
    assert first.split()[1] == "False"
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret_key"]


@pytest.mark.slow
def test_secret_key_of_the_environment_takes_precedence(tmp_path):
    show = "import django; django.setup(); from django.conf import settings; print(settings.SECRET_KEY)"
    assert production(tmp_path, "-c", show, ASSAY_SECRET_KEY="from outside").stdout.strip() == "from outside"
    assert not list(tmp_path.iterdir())


@pytest.mark.in_ci
def test_invalid_flag_is_refused(tmp_path):
    done = production(tmp_path, "manage.py", "check", ASSAY_DEBUG="maybe")
    # A developer's checkout may have a database in var/, which another line mentions.
    assert done.stderr.splitlines()[-1] == "manage.py: ASSAY_DEBUG must be 1 or 0, not 'maybe'."
    assert "Traceback" not in done.stderr


def test_data_folder_is_ignored_by_git():
    assert "/var/" in (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()


HEADERS = """
import django; django.setup()
from django.test import Client
plain, safe = Client().get("/"), Client().get("/account/sign-in/", secure=True)
print(plain.status_code, plain["Location"])
for name, value in sorted(safe.headers.items()): print(f"{name}: {value}")
for cookie in safe.cookies.values(): print(cookie.OutputString())
"""


@pytest.mark.slow
def test_production_headers_and_cookies(tmp_path, django_db_setup):
    if kept_database().exists():
        shutil.copyfile(kept_database(), tmp_path / "assay.sqlite3")
    production(tmp_path, "manage.py", "migrate", "--verbosity", "0")
    output = production(tmp_path, "-c", HEADERS, ASSAY_ALLOWED_HOSTS="testserver").stdout
    assert "301 https://testserver/" in output
    assert "Strict-Transport-Security: max-age=31536000; includeSubDomains; preload" in output
    assert "X-Frame-Options: DENY" in output
    assert "Referrer-Policy: same-origin" in output
    assert "X-Content-Type-Options: nosniff" in output
    policy = re.search(r"Content-Security-Policy: (.*)", output)[1]
    for directive in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert directive in policy
    assert "unsafe-eval" not in policy
    assert "script-src" not in policy  # default-src applies: no inline scripts
    assert re.search(r"csrftoken=.*Secure", output)


def test_unknown_host_is_refused(client):
    assert client.get(reverse("account:sign_in"), headers={"host": "evil.example"}).status_code == 400


def test_sign_in_is_throttled_by_name_and_address(client, django_user_model, db):
    django_user_model.objects.create_user("ada", password="right and long")
    django_user_model.objects.create_user("bob", password="right and long")
    url = reverse("account:sign_in")
    tries = [client.post(url, {"username": "ada", "password": f"wrong {n}"}).status_code for n in range(10)]
    assert tries == [200] * 10
    locked = client.post(url, {"username": "ada", "password": "right and long"})
    assert locked.status_code == 429
    assert "15 minutes" in locked.content.decode()
    assert client.post(url, {"username": "bob", "password": "right and long"}).status_code == 302


def test_throttle_uses_the_address_that_the_proxy_added(rf):
    request = rf.get("/", headers={"x-forwarded-for": "6.6.6.6, 10.1.2.3"})
    assert ip_before_proxy(request) == "10.1.2.3"
    assert ip_before_proxy(rf.get("/")) == "127.0.0.1"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example"])
def test_sign_in_does_not_redirect_to_other_sites(client, django_user_model, db, target):
    django_user_model.objects.create_user("ada", password="right and long")
    answer = client.post(reverse("account:sign_in"), {"username": "ada", "password": "right and long", "next": target})
    assert answer.url == reverse("home")


def test_changing_the_password_requires_the_old_one(client, django_user_model, db):
    ada = django_user_model.objects.create_user("ada", password="right and long")
    client.force_login(ada, backend="assess.people.backend.AccountBackend")
    new = {"new_password1": "another, longer", "new_password2": "another, longer"}
    url = reverse("account:password")
    assert "This is not your password." in client.post(url, {"old_password": "x"} | new).content.decode()
    assert client.post(url, {"old_password": "right and long"} | new).url == reverse("account:settings")
    ada.refresh_from_db()
    assert ada.check_password("another, longer")


def test_browsers_do_not_store_pages_of_members(collection, join, signed_in):
    browser_of_ada = signed_in(join(collection, "ada"))
    for url in ("/", reverse("judge:topics", args=[collection.slug])):
        assert "no-store" in browser_of_ada.get(url)["Cache-Control"]


def test_form_without_csrf_token_shows_our_page(collection, join):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(join(collection, "ada").user, backend="assess.people.backend.AccountBackend")
    answer = strict.post(reverse("account:sign_out"))
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
