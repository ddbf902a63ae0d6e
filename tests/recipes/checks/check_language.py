"""A browser that prefers German gets the page in German, any other in English."""

import pytest

URL = "/account/sign-in/"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preferred", "language", "heading"),
    [("de-AT,de;q=0.9,en;q=0.5", "de", "Anmelden"), ("fr,en;q=0.5", "en", "Sign in"), ("", "en", "Sign in")],
)
def test_page_is_in_the_language_of_the_browser(client, preferred, language, heading):
    page = client.get(URL, headers={"accept-language": preferred}).content.decode()
    assert f'<html lang="{language}"' in page
    assert f"<h1>{heading}</h1>" in page
