"""Names the app; `assess` is both the Django project and its one app."""

from django.apps import AppConfig


class AssessConfig(AppConfig):
    name = "assess"
    verbose_name = "Assay"

    def ready(self) -> None:
        from assess.people.sign_in import log  # reads the models

        log.connect()
