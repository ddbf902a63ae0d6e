"""Django settings. The defaults are safe for production; a site changes them by environment variables.

ASSAY_DATA            directory of the database, the run files and the secret key (default: see assess/lib/data_dir.py)
ASSAY_SECRET_KEY      signing key (default: generated once and kept in the data directory)
ASSAY_ALLOWED_HOSTS   host names of the site, comma-separated (default: localhost,127.0.0.1)
ASSAY_PLAIN_HTTP      1: serve without TLS, on a trusted network or in tests
ASSAY_BEHIND_PROXY    1: a proxy in front terminates TLS and sets X-Forwarded-Proto and X-Forwarded-For
ASSAY_PORT            port of `assay serve` and `assay demo` (default: 8000)
ASSAY_MAX_BODY_BYTES  bytes of a request's body that pages accept, unless they need more (default: 1000000)
ASSAY_UPLOAD_MB       megabytes of one uploaded file (default: 2000)
ASSAY_UPLOADS_MB_PER_USER        megabytes of all files that a user has uploaded and not imported (default: 10000)
ASSAY_UPLOADS_MB_PER_COLLECTION  the same for a collection (default: 20000)
ASSAY_EXPANDED_MB     megabytes of one uploaded file of documents when it is expanded (default: 20000)
ASSAY_IMPORT_ROOTS    directories of this server from which site owners may import, comma-separated (default: none)
ASSAY_IRDS            further data sets of ir-datasets that may be downloaded, comma-separated; "none" allows none
ASSAY_EMAIL_URL       smtp://user:password@host:587/?tls=1: the mail server (default: none, and no email is sent)
ASSAY_EMAIL_FROM      address that emails come from
ASSAY_MAILS_PER_HOUR  emails that one person may send in an hour (default: 50)
ASSAY_OIDC_URL        issuer of an OpenID Connect provider, with ASSAY_OIDC_CLIENT_ID, ASSAY_OIDC_SECRET and
                      ASSAY_OIDC_NAME, which the sign-in page shows
ASSAY_OIDC_SIGNUP     1: its people with an address of ASSAY_OIDC_DOMAINS may create accounts without an invitation
ASSAY_LOG_FORMAT      text (default), or json: one object a line
ASSAY_LOG_REQUESTS    1: log each request with its status and time
ASSAY_METRICS_TOKEN   a secret of at least 16 characters with which Prometheus reads /metrics (default: none, and 404)
ASSAY_DEBUG           1: show tracebacks in the browser; for development only
ASSAY_SESSION_HOURS   hours without a request after which a session ends (default: 12)
ASSAY_COLLECTION_CREATORS     who may create collections: site-owners (default), or researchers: also all researchers
ASSAY_AUDIT_DAYS      days for which entries of the audit log are kept (default: 365)
ASSAY_HEADLINE_MIN_TOPICS     topics that two golds or judges need in common for an answer (default: 10)
ASSAY_HEADLINE_MIN_JUDGED     share of the first ten documents that each gold must judge for this (default: 0.5)
ASSAY_HEADLINE_MIN_DOCUMENTS  documents that two judges need in common for this (default: 50)
ASSAY_EXERCISE_MIN_JUDGED     in a class exercise, the share of their documents that students must judge (default: 0.5)
ASSAY_EXERCISE_MIN_TOP_JUDGED  in a class exercise, the share of first ten documents that must be judged (default: 0.2)
ASSAY_BACKUP_DIR      folder, or s3://bucket/folder, to which the worker backs up once a day (default: no backups)
ASSAY_BACKUP_DAYS     days for which these archives are kept (default: 14)
ASSAY_BACKUP_TIME     time in UTC of these backups (default: 03:00)
DATABASE_URL          postgres://user:password@host:port/name (default: SQLite in the data directory)
ASSAY_MIGRATION_DATABASE_URL  the same database with the role that owns the tables, for migrations and restores only
ASSAY_MIN_FREE_MB     /health reports a problem if the data directory has less free space (default: 500)
"""

from pathlib import Path
from urllib.parse import quote

from csp.constants import NONE, SELF

from assess.lib.data_dir import DATABASE_NAME, checkout, find_data_dir
from assess.lib.database_url import application_database
from assess.lib.environment import (
    flag,
    make_data_dir,
    one_of,
    secret_key,
    share,
    text,
    time_of_day,
    token,
    whole_number,
    words,
)
from assess.lib.mail_server import mail_server
from assess.lib.openid import openid_apps, openid_provider

BASE_DIR = Path(__file__).resolve().parent.parent
# The `assay` command sets ASSAY_DATA, so var/ is only the default of manage.py and of servers run in a checkout.
DATA_DIR = make_data_dir(find_data_dir(use_checkout=True).path)
RUNS_DIR = DATA_DIR / "runs"
UPLOADS_DIR = DATA_DIR / "uploads"  # never served
RESULTS_DIR = DATA_DIR / "results"
ERASURE_LIST = DATA_DIR / "erasures.jsonl"  # not in the database: a restored backup must not undo an erasure

BACKUP_DIR = text("ASSAY_BACKUP_DIR")
BACKUP_DAYS = whole_number("ASSAY_BACKUP_DAYS", 14)
BACKUP_TIME = time_of_day("ASSAY_BACKUP_TIME", "03:00")

DEBUG = flag("ASSAY_DEBUG")
PLAIN_HTTP = DEBUG or flag("ASSAY_PLAIN_HTTP")
BEHIND_PROXY = flag("ASSAY_BEHIND_PROXY")
SECRET_KEY = secret_key(DATA_DIR)
ALLOWED_HOSTS = words("ASSAY_ALLOWED_HOSTS", "localhost,127.0.0.1")

INSTALLED_APPS = [
    "assess",  # first, so that its templates replace those of allauth
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",  # the templates of widgets, for the renderer
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
]
MIDDLEWARE = [
    "assess.web.site.middleware.RequestLogMiddleware",
    "assess.web.site.middleware.NoStoreMiddleware",
    "assess.web.site.metrics.MetricsMiddleware",  # before those whose answers it counts
    "assess.web.site.middleware.BodyLimitMiddleware",
    "assess.web.site.middleware.HealthMiddleware",  # before those that need a host name, TLS or a session
    "assess.web.site.middleware.SignInRateMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "assess.web.site.middleware.NulMiddleware",
    "assess.web.site.middleware.CharsetMiddleware",  # before anything reads a form
    "assess.web.site.middleware.ScriptRedirectMiddleware",
    "assess.people.sessions.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "assess.web.join.access.SeatMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Every page requires a sign-in, except views with @login_not_required.
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # In a wheel the templates are in assess/templates, where APP_DIRS finds them.
        "DIRS": [BASE_DIR / "templates"] if checkout() else [],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": [
                "assess.templatetags.numbers",
                "assess.web.figures.menu",
                "assess.web.figures.tags",
                "assess.web.frame.parts",
                "assess.web.frame.tags",
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "assess.web.join.access.seat_in_bar",
            ],
        },
    }
]
FORM_RENDERER = "assess.lib.forms.Renderer"
ROOT_URLCONF = "assess.urls"
WSGI_APPLICATION = "assess.wsgi.application"

# Requests hold locks for milliseconds, so waiting longer than ten seconds for one is useless, and each waiting request
# occupies one of the server's few threads. The limit is shorter than the 20 seconds after which the judging page sends
# a judgement again, so that no assessor occupies two threads.
LOCK_SECONDS = 10
CONNECT_SECONDS = 5  # without a limit, a request waits minutes for a server that does not answer
SQLITE_URL = f"sqlite:///{quote(str(DATA_DIR / DATABASE_NAME))}"
DATABASES = {"default": application_database(SQLITE_URL)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # With WAL and IMMEDIATE, threads wait for each other instead of failing. FULL: a commit survives a power cut. The
    # cache is 16 MB for each connection: with the usual 2 MB, counting 48,000 judgements reads most pages repeatedly.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": LOCK_SECONDS,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000",
    }
    # A file, because threads that share an in-memory database lock whole tables.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
else:
    options = DATABASES["default"].setdefault("OPTIONS", {})
    options.setdefault("connect_timeout", CONNECT_SECONDS)
    options.setdefault("options", f"-c lock_timeout={LOCK_SECONDS}s")
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Results of analyses, which the web server and the workers share (assess.jobs.results).
    "results": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": RESULTS_DIR,
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}  # background jobs: assess.jobs
TRAIN_AT_ONCE = False  # whether a request trains the next model of a learner and waits, which only tests do

MAILS_PER_HOUR = whole_number("ASSAY_MAILS_PER_HOUR", 50)  # of one sender
MAIL_SERVER = mail_server()
MAIL_CONFIGURED = MAIL_SERVER is not None
EMAIL_TIMEOUT = 20  # seconds, for each step of the exchange with the server
if MAIL_SERVER:
    EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL_SERVER.starttls, MAIL_SERVER.ssl
    DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL_SERVER.sender

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "assess.User"
SESSION_ENGINE = "assess.people.sessions"
SESSION_COOKIE_AGE = whole_number("ASSAY_SESSION_HOURS", 12) * 3600  # seconds without a request
AUDIT_DAYS = whole_number("ASSAY_AUDIT_DAYS", 365)
COLLECTION_CREATORS = one_of("ASSAY_COLLECTION_CREATORS", "site-owners", "researchers")
PASSWORD_HASHERS = ["assess.people.sign_in.hash_slots.LimitedHasher"]
AUTHENTICATION_BACKENDS = ["assess.people.backend.AccountBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

# django-allauth; its pages are in assess/web/account/sign_in/urls.py.
OPENID_PROVIDER = openid_provider()
ACCOUNT_ADAPTER = "assess.web.account.sign_in.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # an address is not needed, and sites without a mail server cannot verify it
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # no mail to people without an account
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_RATE_LIMITS = False  # kept per process; assess.people.sign_in.throttle is shared by all
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "assess.web.account.sign_in.adapters.TwoFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1  # the clock of a phone may be half a minute wrong
SOCIALACCOUNT_ADAPTER = "assess.web.account.sign_in.adapters.OpenIdAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an address does not prove that two accounts belong to one person
SOCIALACCOUNT_EMAIL_REQUIRED = False
SOCIALACCOUNT_REAUTHENTICATION_REQUIRED = True
SOCIALACCOUNT_PROVIDERS = {"openid_connect": openid_apps(OPENID_PROVIDER)}

LOGIN_URL = "account:sign_in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "account:sign_in"

if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

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

# The bytes of a request's body. `BodyLimitMiddleware` and `assay serve` refuse more before they read the body.
MAX_BODY_BYTES = whole_number("ASSAY_MAX_BODY_BYTES", 1_000_000)
UPLOAD_CHUNK_BYTES = 8_000_000
MAX_BODY_BYTES_BY_VIEW = {
    "teach:new": 5_000_000,  # pasted topics and documents
    "research:import_paste": 4_000_000,  # a pasted file of 1 MB; a form may need three bytes for one
    "research:upload_chunk": UPLOAD_CHUNK_BYTES,
    "research:read_model_batch": UPLOAD_CHUNK_BYTES,
    "api:send_chunk": UPLOAD_CHUNK_BYTES,
    "api:read_model_answers": UPLOAD_CHUNK_BYTES,
}
LARGEST_BODY_BYTES = max(MAX_BODY_BYTES, *MAX_BODY_BYTES_BY_VIEW.values())
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = LARGEST_BODY_BYTES  # no body becomes a temporary file

# Files to import. Together they are limited per user and per collection.
MEGABYTE = 1_000_000
MAX_UPLOAD_BYTES = whole_number("ASSAY_UPLOAD_MB", 2_000) * MEGABYTE
MAX_UPLOADED_BYTES_OF_USER = whole_number("ASSAY_UPLOADS_MB_PER_USER", 10_000) * MEGABYTE
MAX_UPLOADED_BYTES_OF_COLLECTION = whole_number("ASSAY_UPLOADS_MB_PER_COLLECTION", 20_000) * MEGABYTE
MAX_EXPANDED_BYTES = whole_number("ASSAY_EXPANDED_MB", 20_000) * MEGABYTE  # of documents; other kinds have lower limits
IMPORT_ROOTS = words("ASSAY_IMPORT_ROOTS")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

# With less data, an answer about golds and judges is preliminary. Pages let readers change these defaults.
HEADLINE_MIN_TOPICS = whole_number("ASSAY_HEADLINE_MIN_TOPICS", 10)
HEADLINE_MIN_JUDGED = share("ASSAY_HEADLINE_MIN_JUDGED", 0.5)
HEADLINE_MIN_DOCUMENTS = whole_number("ASSAY_HEADLINE_MIN_DOCUMENTS", 50)
CLASSROOM_ORIGIN = ""  # set by `assay demo --host`: where students join if the instructor uses 127.0.0.1
EXERCISE_MIN_JUDGED = share("ASSAY_EXERCISE_MIN_JUDGED", 0.5)
EXERCISE_MIN_TOP_JUDGED = share("ASSAY_EXERCISE_MIN_TOP_JUDGED", 0.2)

MIN_FREE_MB = whole_number("ASSAY_MIN_FREE_MB", 500)  # /health
METRICS_TOKEN = token("ASSAY_METRICS_TOKEN", shortest=16)

STATIC_URL = "static/"
# The few small files are served from the packages, so that no deployment can forget `collectstatic`.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LOG_REQUESTS = flag("ASSAY_LOG_REQUESTS")
LOG_FORMATS = {"text": "ShortFormatter", "json": "ShortJsonFormatter"}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "tokens": {"()": "assess.web.site.token_filter.TokenFilter"},
        "id": {"()": "assess.lib.log_id.LogIdFilter"},
    },
    "formatters": {
        "short": {"()": f"assess.web.site.log_format.{LOG_FORMATS[one_of('ASSAY_LOG_FORMAT', *LOG_FORMATS)]}"}
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "filters": ["tokens", "id"], "formatter": "short"}},
    "loggers": {"assess.requests": {"level": "INFO" if LOG_REQUESTS else "WARNING"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
