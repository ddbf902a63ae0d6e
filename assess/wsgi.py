"""WSGI application, for gunicorn: `gunicorn assess.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "assess.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - imports all views now, not during the first request
