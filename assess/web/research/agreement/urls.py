from django.urls import path

from assess.web.research.agreement import pair_views, views

urlpatterns = [
    path("agreement/", views.agreement, name="agreement"),
    path("agreement.csv", views.agreement_csv, name="agreement_csv"),
    path("agreement/topics/", views.topics, name="agreement_topics"),
    path("agreement/judges/", views.judges, name="agreement_judges"),
    path("agreement/time/", views.time, name="agreement_time"),
    path("agreement/tables/<str:name>.<str:kind>", views.table, name="agreement_table"),
    path("agreement/<int:a>/<int:b>/", pair_views.pair, name="pair"),
    path("agreement/<int:a>/<int:b>/<str:name>.<str:kind>", pair_views.pair_table, name="pair_table"),
]
