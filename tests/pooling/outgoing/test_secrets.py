"""Secrets are removed from what a server sends back."""

import json

import pytest

from pooling.outgoing.secrets import check_header, refuse_secret_parameters, without_secret


@pytest.mark.parametrize("secret", ["Bearer sk-12/345678+x", 'Key ab"cdefghij', "Bearer back\\slash-key"])
def test_a_secret_is_removed_in_each_of_its_forms(secret):
    text = json.dumps({"error": f"wrong {secret}", "word": secret.split()[1]}) + secret
    for form in (text, text.replace("/", "\\/")):
        cleaned = without_secret(form.encode(), secret).decode()
        assert secret.split()[1] not in cleaned
        assert json.dumps(secret.split()[1])[1:-1] not in cleaned


def test_a_short_secret_does_not_change_ordinary_words():
    assert without_secret(b"the ollama server", "Bearer ollama") == b"the ollama server"


@pytest.mark.parametrize("header", ["", "A B", "A:B", "A\r\nB", "Host", "content-length", "Ä"])
def test_a_header_with_another_form_is_refused(header):
    with pytest.raises(ValueError, match="must be a name of letters"):
        check_header(header, "x")


def test_a_secret_in_the_address_is_refused():
    with pytest.raises(ValueError, match="looks like a secret"):
        refuse_secret_parameters("a=1&API_KEY=x")
