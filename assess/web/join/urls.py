from django.urls import path

from assess.web.join import views, worksheet_views

app_name = "join"
urlpatterns = [
    path("join/", views.code, name="code"),
    path("join/<str:code>/", views.nickname, name="nickname"),
    path("join/<str:code>/back/", views.back, name="back"),
    path("x/<str:code>/", views.seat, name="seat"),
    path("x/<str:code>/live/", views.live, name="live"),
    path("x/<str:code>/practice/", views.practice, name="practice"),
    path("x/<str:code>/prediction/", views.prediction, name="prediction"),
    path("x/<str:code>/leave/", views.leave, name="leave"),
    path("x/<str:code>/sheet/<str:key>/", worksheet_views.worksheet, name="worksheet"),
    path("x/<str:code>/sheet/<str:key>/answer/", worksheet_views.answer, name="worksheet_answer"),
    path("x/<str:code>/sheet/<str:key>/show/", worksheet_views.show, name="worksheet_show"),
]
