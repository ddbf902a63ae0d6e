from django.urls import path

from assess.web.site import host_views, views

app_name = "site"
urlpatterns = [
    path("people/", views.people, name="people"),
    path("people/<int:user_id>/", views.person, name="person"),
    path("people/<int:user_id>/deactivate/", views.deactivate, name="deactivate"),
    path("people/<int:user_id>/reactivate/", views.reactivate, name="reactivate"),
    path("people/<int:user_id>/end-sessions/", views.end_sessions, name="end_sessions"),
    path("collections/", views.collections, name="collections"),
    path("hosts/", host_views.hosts, name="hosts"),
    path("hosts/remove/", host_views.remove, name="remove_host"),
    path("status/", views.status, name="status"),
]
