"""Names the app; `assess` is both the Django project and its one app."""

from django.apps import AppConfig, apps


class AssessConfig(AppConfig):
    name = "assess"
    verbose_name = "Assay"

    def ready(self) -> None:
        if not apps.is_installed("allauth"):  # a command that only prints its help
            return
        from assess.people.sign_in import log  # reads the models

        log.connect()
