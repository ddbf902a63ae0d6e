"""Who may sign in, and how they like to work."""

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class Theme(models.TextChoices):
    SYSTEM = "system", "as the system says"
    LIGHT = "light", "light"
    DARK = "dark", "dark"


class Preferences(models.Model):
    """Columns of a user: pages read them with the user, and nothing of them is kept in a browser."""

    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    text_size = models.PositiveSmallIntegerField(
        default=100, validators=[MinValueValidator(80), MaxValueValidator(250)]
    )
    keys_on = models.BooleanField(default=True)
    keymap = models.JSONField(default=dict, blank=True)
    highlights_on = models.BooleanField(default=True)

    class Meta:
        abstract = True


class User(AbstractUser, Preferences):
    """A person with a password. What they may do is said by each collection's members."""

    def __str__(self) -> str:
        return self.get_username()
