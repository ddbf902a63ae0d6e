"""The messages and attributes of FormatError."""

import pickle

from pooling import FormatError, TrecFormatError
from pooling.errors import shown


def test_the_message_is_one_sentence_and_its_parts_are_attributes():
    error = TrecFormatError("score 'nan' is not allowed", "a score is a number", "a.run", 3, "score", "nan")
    assert str(error) == "a.run, line 3: score 'nan' is not allowed; a score is a number"
    assert (error.file, error.line, error.column, error.value) == ("a.run", 3, "score", "nan")
    assert error.allowed == "a score is a number"
    assert isinstance(error, FormatError)
    assert isinstance(error, ValueError)


def test_an_error_of_the_whole_file_has_no_line():
    assert str(FormatError("it is empty", "a line is needed", "a.run")) == "a.run: it is empty; a line is needed"


def test_an_error_can_be_pickled():
    error = TrecFormatError("a", "b", "f", 3, "score", "nan")
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back), back.line) == (TrecFormatError, str(error), 3)


def test_a_value_is_escaped_and_shortened():
    assert shown("a'b") == '"a\'b"'
    assert shown("a\nb\u202e") == r"'a\nb\u202e'"
    assert len(shown("x" * 1000)) < 70
    assert shown("x" * 1000).endswith("x…'")
    assert shown("\n" * 1000).endswith(r"\n…'")
