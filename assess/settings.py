"""Settings. Safe unless told otherwise; what a site changes comes from the environment.

ASSAY_DATA            folder of the database, the run files and the secret key (default: var/)
ASSAY_SECRET_KEY      signing key (default: made once, kept in the data folder)
ASSAY_ALLOWED_HOSTS   names the site answers to, comma-separated (default: localhost,127.0.0.1)
ASSAY_PLAIN_HTTP      1: served without TLS, on a trusted network or in tests
ASSAY_BEHIND_PROXY    1: a proxy in front ends TLS and sets X-Forwarded-Proto and X-Forwarded-For
ASSAY_DEBUG           1: tracebacks in the browser; the demo only
DATABASE_URL          postgres://user:password@host:port/name (default: SQLite in the data folder)
"""

import os
from datetime import timedelta
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF

from assess.lib.environment import flag, secret_key, words

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(os.environ.get("ASSAY_DATA", BASE_DIR / "var")).resolve()
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # the database holds password hashes
RUNS_DIR = DATA_DIR / "runs"

DEBUG = flag("ASSAY_DEBUG")
PLAIN_HTTP = DEBUG or flag("ASSAY_PLAIN_HTTP")
BEHIND_PROXY = flag("ASSAY_BEHIND_PROXY")
SECRET_KEY = secret_key(DATA_DIR)
ALLOWED_HOSTS = words("ASSAY_ALLOWED_HOSTS", "localhost,127.0.0.1")

INSTALLED_APPS = [
    "assess",
    "axes",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "assess.web.join.access.SeatMiddleware",
    # Every address asks for a sign-in unless its view says otherwise.
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "assess.web.join.access.seat_in_bar",
            ],
        },
    }
]
ROOT_URLCONF = "assess.urls"
WSGI_APPLICATION = "assess.wsgi.application"

DATABASES = {"default": dj_database_url.config(default=f"sqlite:///{DATA_DIR / 'assay.sqlite3'}", conn_max_age=60)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL with IMMEDIATE lets threads write in turn instead of failing; FULL makes a commit outlive a power cut.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL",
    }
    # A file, as in life: an in-memory database shared by threads locks whole tables.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "assess.User"
SESSION_ENGINE = "assess.people.sessions"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "assess.people.backend.AccountBackend",
    "assess.account.backend.AccountBackend",  # sessions of 0.1 name it
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account:sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account:sign_in"

# Ten wrong passwords for one name from one address close it for a quarter of an hour. A class behind one
# address is not locked out by one student.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # only what failed is kept: nobody's comings and goings, and nothing of students
AXES_VERBOSE = False
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    AXES_CLIENT_IP_CALLABLE = "assess.lib.client_ip.ip_before_proxy"

SECURE_SSL_REDIRECT = not PLAIN_HTTP
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = not PLAIN_HTTP
SECURE_HSTS_SECONDS = 0 if PLAIN_HTTP else 365 * 24 * 3600
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = not PLAIN_HTTP
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "style-src": [SELF, "'unsafe-inline'"],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "static/"
# Served straight from the packages: a handful of small files, and no collecting step to forget.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
