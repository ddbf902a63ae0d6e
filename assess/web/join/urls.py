from django.urls import include, path

from assess.web.join import lesson_views, views

app_name = "join"
urlpatterns = [
    path("join/", views.code, name="code"),
    path("join/<str:code>/", views.nickname, name="nickname"),
    path("join/<str:code>/back/", views.back, name="back"),
    path("x/<str:code>/", views.seat, name="seat"),
    path("x/<str:code>/live/", views.live, name="live"),
    path("x/<str:code>/practice/", lesson_views.practice, name="practice"),
    path("x/<str:code>/prediction/", lesson_views.prediction, name="prediction"),
    path("x/<str:code>/leave/", views.leave, name="leave"),
    path("x/<str:code>/sheet/<str:key>/", include("assess.web.join.worksheet_urls")),
]
