"""The pages of marginal relevance, below `c/<slug>/`."""

from django.urls import path

from assess.marginal import views
from assess.web.figures.views import download_table

urlpatterns = [
    path("marginal/", views.marginal, name="marginal"),
    path("marginal/answers.csv", download_table, {"page": "marginal", "table": "answers"}, "marginal_answers"),
    path("marginal/pairs.csv", download_table, {"page": "marginal", "table": "pairs"}, "marginal_pairs"),
    path("diversity.txt", views.diversity_qrels, name="diversity_qrels"),
]
