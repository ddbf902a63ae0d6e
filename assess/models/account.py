"""User accounts and their preferences."""

from django.contrib.auth.models import AbstractUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class Theme(models.TextChoices):
    SYSTEM = "system", "same as the system"
    LIGHT = "light", "light"
    DARK = "dark", "dark"


class Preferences(models.Model):
    """The preferences of a user, stored with the user and not in the browser."""

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
    """A person with an account. Their role in a collection is a Member."""

    def __str__(self) -> str:
        return self.get_username()
