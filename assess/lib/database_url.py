"""The URL of the database. On PostgreSQL, migrations may use a role of their own.

DATABASE_URL names the role of the application. If ASSAY_MIGRATION_DATABASE_URL is set, it names the role that owns the
tables, in the same database, and only migrations and restores use it. The application's role then cannot change tables
or triggers.
"""

import os

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

APPLICATION, OWNER = "DATABASE_URL", "ASSAY_MIGRATION_DATABASE_URL"
POSTGRESQL = "django.db.backends.postgresql"
ENGINES = (POSTGRESQL, "django.db.backends.sqlite3")


def application_database(default: str) -> dj_database_url.DBConfig:
    """The settings of the database named by DATABASE_URL, or of the default URL."""
    return _parse(APPLICATION, os.environ.get(APPLICATION) or default)


def owner_url() -> str | None:
    """ASSAY_MIGRATION_DATABASE_URL, or None if it is not set. It must name the same database as DATABASE_URL."""
    url = os.environ.get(OWNER, "").strip()
    if not url:
        return None
    if not os.environ.get(APPLICATION):
        raise ImproperlyConfigured(f"{OWNER} is set, but {APPLICATION} is not. Set both or neither.")
    owner, application = _parse(OWNER, url), _parse(APPLICATION, os.environ[APPLICATION])
    if owner["ENGINE"] != POSTGRESQL:
        raise ImproperlyConfigured(f"{OWNER} must begin with postgres://: only PostgreSQL has roles.")
    if (owner["ENGINE"], owner["NAME"]) != (application["ENGINE"], application["NAME"]):
        raise ImproperlyConfigured(
            f"{OWNER} names the database {owner['NAME']!r}, and {APPLICATION} names {application['NAME']!r}. "
            "Both must name the same database."
        )
    return url


def use_owner() -> None:
    """Let this process connect as the owner of the tables, if there is such a role. Call it before loading settings."""
    if url := owner_url():
        os.environ[APPLICATION] = url


def _parse(variable: str, url: str) -> dj_database_url.DBConfig:
    """The settings for a URL. The message does not repeat the URL, which contains a password."""
    try:
        config = dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
    except ValueError:
        config = dj_database_url.DBConfig()
    if config.get("ENGINE") not in ENGINES:
        raise ImproperlyConfigured(
            f"{variable} is not a URL like postgres://user:password@host:port/name. "
            "In the password, write each special character as % and two hexadecimal digits."
        )
    return config
