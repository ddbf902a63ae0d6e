"""Names the app; `assess` is both the Django project and its one app."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"
    verbose_name = "Assay"
