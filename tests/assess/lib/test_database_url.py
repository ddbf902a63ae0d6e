"""DATABASE_URL, and ASSAY_MIGRATION_DATABASE_URL for migrations."""

import subprocess

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError

from assess.lib import tables
from assess.lib.database_url import application_database, owner_url, use_owner

APPLICATION = "postgres://assay:secret@127.0.0.1:5432/assay"
OWNER = "postgres://assay_owner:hidden@127.0.0.1:5432/assay"


@pytest.fixture
def urls(monkeypatch):
    """A function that sets both variables; None removes one."""

    def urls(application, owner):
        for name, value in (("DATABASE_URL", application), ("ASSAY_MIGRATION_DATABASE_URL", owner)):
            monkeypatch.delenv(name, raising=False)
            if value is not None:
                monkeypatch.setenv(name, value)

    urls(None, None)
    return urls


def test_default_database(urls):
    assert application_database("sqlite:////data/assay.sqlite3")["NAME"] == "/data/assay.sqlite3"


def test_database_of_the_environment(urls):
    urls(APPLICATION, OWNER)
    assert application_database("sqlite:////x")["USER"] == "assay"


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "postgres://a:b@c:x/y", "postgres://a:p[w@c/y"])
def test_invalid_url_is_refused_without_repeating_it(urls, url):
    urls(url, None)
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL is not a URL like postgres://") as refusal:
        application_database("sqlite:////x")
    assert url not in str(refusal.value)


@pytest.mark.parametrize("owner", [None, "", " "])
def test_without_an_owner_nothing_changes(urls, owner, monkeypatch):
    urls(APPLICATION, owner)
    assert owner_url() is None
    use_owner()
    assert application_database("sqlite:////x")["USER"] == "assay"


def test_migrations_connect_as_the_owner(urls):
    urls(APPLICATION, OWNER)
    use_owner()
    assert application_database("sqlite:////x")["USER"] == "assay_owner"


@pytest.mark.parametrize(
    ("application", "owner", "sentence"),
    [
        (None, OWNER, "ASSAY_MIGRATION_DATABASE_URL is set, but DATABASE_URL is not."),
        (APPLICATION, "nonsense", "ASSAY_MIGRATION_DATABASE_URL is not a URL like postgres://"),
        (APPLICATION, "sqlite:////data/assay", "ASSAY_MIGRATION_DATABASE_URL must begin with postgres://"),
        (APPLICATION, OWNER + "2", "names the database 'assay2', and DATABASE_URL names 'assay'."),
        ("sqlite:///assay", OWNER, "Both must name the same database."),
    ],
)
def test_mismatched_urls_are_refused(urls, application, owner, sentence):
    urls(application, owner)
    with pytest.raises(ImproperlyConfigured) as refusal:
        owner_url()
    assert sentence in str(refusal.value)
    assert "hidden" not in str(refusal.value)


def test_failed_migration_is_one_sentence(urls, monkeypatch):
    urls(APPLICATION, OWNER)
    failed = subprocess.CompletedProcess([], 1, stderr="Traceback ...\npsycopg.OperationalError: no such role\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(CommandError, match=r"ASSAY_MIGRATION_DATABASE_URL: psycopg.OperationalError: no such role$"):
        tables.create()
