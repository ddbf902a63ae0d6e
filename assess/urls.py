"""Every address. Each room has its own module; `tests/assess/test_access.py` walks this table."""

from django.urls import include, path

from assess.account.views import home

urlpatterns = [
    path("c/<slug:slug>/judge/", include("assess.judge.urls")),  # first, for it is asked most
    path("", home, name="home"),
    path("account/", include("assess.account.urls")),
    path("teach/", include("assess.teach.urls")),
    path("", include("assess.join.urls")),
    path("c/<slug:slug>/", include("assess.research.urls")),
]
