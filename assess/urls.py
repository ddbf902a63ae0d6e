"""The URLs of the site. Each area has its own module; `tests/assess/web/test_access.py` requests every URL."""

from django.urls import include, path

from assess.web.account.urls import account, invitations, sign_in
from assess.web.account.views import home
from assess.web.research.settings import create_views, delete_views

handler500 = "assess.web.site.middleware.server_error"
urlpatterns = [
    path("c/<slug:slug>/judge/", include("assess.web.judge.urls")),  # first, because it is requested most often
    path("api/v1/", include("assess.api.urls")),
    path("", home, name="home"),
    path("account/", include(account)),
    path("account/", include(sign_in)),
    path("teach/", include("assess.web.teach.urls")),
    path("", include("assess.web.join.urls")),
    path("collections/new/", create_views.create, name="create_collection"),
    path("collections/deletions/<uuid:job_id>/", delete_views.deletion, name="deletion"),
    path("collections/deletions/<uuid:job_id>/cancel/", delete_views.cancel_deletion, name="cancel_deletion"),
    path("site/", include("assess.web.site.urls")),
    path("invitation/", include(invitations)),
    path("c/<slug:slug>/", include("assess.web.research.urls")),
]
