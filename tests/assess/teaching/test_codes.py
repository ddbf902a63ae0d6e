"""Codes and nicknames as people and programs type them."""

import unicodedata
from unittest.mock import patch

import pytest

from assess.errors import Refused
from assess.teaching.codes import MAX_CODE_LENGTH, MAX_TYPED_LENGTH, plain_code
from assess.teaching.seats import checked_nickname

COMBINING = "a" + "\u0301\u0316" * 100_000  # Unicode normalisation would take a minute


def test_spaces_dashes_and_control_characters_are_left_out():
    assert plain_code(" ab-c\u2013d\0e\tf\n") == "ABCDEF"


def test_long_text_is_cut_or_refused_before_normalisation():
    with patch("unicodedata.normalize", wraps=unicodedata.normalize) as normalize:
        assert len(plain_code(COMBINING)) <= MAX_CODE_LENGTH
        with pytest.raises(Refused, match=r"at most \d+ characters, not 200001"):
            checked_nickname(COMBINING)
    assert all(len(call.args[1]) <= MAX_TYPED_LENGTH for call in normalize.call_args_list)
