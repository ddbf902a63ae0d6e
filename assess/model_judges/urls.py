"""The pages of model judges, below `c/<slug>/`."""

from django.urls import path

from assess.model_judges import views
from assess.web.figures.views import download_figure, download_table

urlpatterns = [
    path("models/", views.model_judges, name="model_judges"),
    path("models/draw/", views.draw, name="draw_for_people"),
    path("models.<str:file_type>", download_table, {"page": "model_judges", "table": "judges"}, "model_judges_table"),
    path("models/<str:table>.<str:file_type>", download_table, {"page": "model_judges"}, "trust_table"),
    path("models/figure/<str:figure>.<str:kind>", download_figure, {"page": "model_judges"}, "trust_figure"),
]
