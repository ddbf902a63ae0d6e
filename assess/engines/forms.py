"""The forms of search engines and their runs."""

from typing import Any

from django import forms

from assess.lib.forms import SecretField
from assess.web.requests import RefusingForm

MAX_DEPTH = 10_000
PATHS = ("results", "id", "score", "title", "text")
KINDS = {
    "elasticsearch": "Elasticsearch or OpenSearch",
    "solr": "Solr",
    "vespa": "Vespa",
    "json": "Another engine that answers JSON",
}


class EngineForm(RefusingForm):
    """An engine. Empty templates and paths are the usual ones of the kind."""

    name = forms.CharField(label="Name", max_length=80, help_text="such as bm25")
    kind = forms.ChoiceField(label="Engine", choices=list(KINDS.items()))
    address = forms.CharField(
        label="Address",
        max_length=2_000,
        help_text="of the index, such as https://search.example.org:9200/news; if it answers JSON, with {query} in it",
    )
    secret = SecretField()
    body = forms.CharField(
        label="Template",
        required=False,
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text="the body as JSON, with {query}, {title}, {description}, {narrative} or {depth} in its texts",
    )
    results = forms.CharField(label="List of documents", required=False, max_length=200, help_text="such as hits.hits")
    id = forms.CharField(label="Id", required=False, max_length=200, help_text="such as _id")
    score = forms.CharField(label="Score", required=False, max_length=200)
    title = forms.CharField(label="Title", required=False, max_length=200, help_text="such as _source.title")
    text = forms.CharField(label="Text", required=False, max_length=200)
    scores = forms.ChoiceField(
        label="Scores", choices=[("engine", "of the answer"), ("rank", "depth minus rank, in the order of the answer")]
    )
    escape = forms.ChoiceField(
        label="Words of topics",
        choices=[("", "as they are"), ("lucene", "escaped for Lucene's query syntax")],
        required=False,
    )
    chunk_separator = forms.CharField(
        label="Chunks",
        required=False,
        max_length=10,
        strip=False,
        help_text="what stands before their number, such as #",
    )
    header = forms.CharField(label="Header of the secret", max_length=100, initial="Authorization")

    def settings(self) -> dict[str, Any]:
        """Return the settings of the engine. What was left empty is as usual."""
        values = self.cleaned()
        usual = {name: values[name] for name in ("body", *PATHS) if values[name].strip()}
        chosen = ("kind", "address", "scores", "escape", "chunk_separator", "header")
        return usual | {name: values[name] for name in chosen}


class EngineRunForm(RefusingForm):
    """A run of an engine."""

    system = forms.CharField(label="System", max_length=255, help_text="the name of the run")
    depth = forms.IntegerField(label="Documents for each topic", min_value=1, max_value=MAX_DEPTH, initial=100)
    concurrency = forms.IntegerField(
        label="At the same time", min_value=1, max_value=8, initial=2, help_text="topics, from 1 to 8"
    )
    per_second = forms.FloatField(
        label="In a second",
        min_value=0.01,
        max_value=100,
        required=False,
        help_text="requests; empty: no limit",
    )
    with_texts = forms.BooleanField(label="Also keep titles and texts", required=False, initial=True)
