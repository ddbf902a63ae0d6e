from django.urls import path

from assess.web.research.agreement import pair_views, views

urlpatterns = [
    path("agreement/", views.agreement, name="agreement"),
    path("agreement.csv", views.agreement_csv, name="agreement_csv"),
    path("agreement/topics/", views.topics, name="agreement_topics"),
    path("agreement/judges/", views.judges, name="agreement_judges"),
    path("agreement/time/", views.time, name="agreement_time"),
    path("agreement/tables/<str:table>.<str:file_type>", views.download, name="agreement_table"),
    path("agreement/charts/<str:chart>.<str:kind>", views.chart, name="agreement_chart"),
    path("agreement/<int:a>/<int:b>/", pair_views.pair, name="pair"),
    path("agreement/<int:a>/<int:b>/<str:table>.<str:file_type>", pair_views.download, name="pair_table"),
]
