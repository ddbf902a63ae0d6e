"""The URLs of the site. Each area has its own module; `tests/assess/web/test_access.py` requests every URL."""

from django.urls import include, path

from assess.web.account.views import home

handler500 = "assess.web.errors.server_error"
urlpatterns = [
    path("c/<slug:slug>/judge/", include("assess.web.judge.urls")),  # first, because it is requested most often
    path("", home, name="home"),
    path("account/", include("assess.web.account.urls")),
    path("account/", include("assess.web.account.sign_in.urls")),
    path("teach/", include("assess.web.teach.urls")),
    path("", include("assess.web.join.urls")),
    path("collections/", include("assess.web.research.settings.site_urls")),
    path("site/", include("assess.web.site.urls")),
    path("invitation/", include("assess.web.invitation.urls")),
    path("c/<slug:slug>/", include("assess.web.research.urls")),
]
