"""Names the app; `assess` is both the Django project and its one app."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"
    verbose_name = "Assay"

    def ready(self) -> None:
        from assess.people import sign_in_log  # reads the models

        sign_in_log.connect()
