"""The pages of marginal relevance, below `c/<slug>/`."""

from django.urls import path

from assess.marginal import views

urlpatterns = [
    path("marginal/", views.marginal, name="marginal"),
    path("marginal/answers.csv", views.answers_csv, name="marginal_answers"),
    path("marginal/pairs.csv", views.pairs_csv, name="marginal_pairs"),
    path("diversity.txt", views.diversity_qrels, name="diversity_qrels"),
]
