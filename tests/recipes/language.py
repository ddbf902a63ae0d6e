"""A language of the pages: German, on the page for signing in."""

NAME = "de"
MESSAGES = f"assess/locale/{NAME}/LC_MESSAGES/django.po"
SETTINGS = "assess/settings.py"
BASE = "templates/base.html"
PAGE = "templates/account/sign_in.html"

NEW = {
    MESSAGES: """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: de\\n"

msgid "Sign in"
msgstr "Anmelden"
"""
}
CHANGES = [
    (
        SETTINGS,
        'LANGUAGE_CODE = "en"\n',
        f'LANGUAGE_CODE = "en"\nLANGUAGES = [("en", "English"), ("{NAME}", "Deutsch")]\n',
    ),
    (
        SETTINGS,
        '    "django.middleware.common.CommonMiddleware",\n',
        '    "django.middleware.locale.LocaleMiddleware",\n    "django.middleware.common.CommonMiddleware",\n',
    ),
    (
        BASE,
        '{% load static %}<!doctype html>\n<html lang="en"',
        '{% load i18n static %}{% get_current_language as language %}<!doctype html>\n<html lang="{{ language }}"',
    ),
    (PAGE, '{% extends "narrow.html" %}\n', '{% extends "narrow.html" %}\n{% load i18n %}\n'),
    (PAGE, "<h1>Sign in</h1>", '<h1>{% translate "Sign in" %}</h1>'),
]
