"""The library recognises the format, and the command imports topics in it or names the line of an error."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from assess.collections.create import create_collection
from pooling import recognise


@pytest.mark.django_db
def test_command_imports_topics(tmp_path):
    collection = create_collection("tea", "Tea")
    path = tmp_path / "topics.txt"
    path.write_text("301: green tea\n302: black tea\n", encoding="utf-8")
    assert recognise(path).label == "topics with colons"
    call_command("import_topics", str(path), collection="tea", verbosity=0)
    assert list(collection.topics.values_list("query_id", "title")) == [("301", "green tea"), ("302", "black tea")]
    path.write_text("303: white tea\n304 oolong\n", encoding="utf-8")
    with pytest.raises(CommandError, match="line 2"):
        call_command("import_topics", str(path), collection="tea", verbosity=0)
