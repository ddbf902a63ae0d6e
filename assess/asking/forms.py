"""The forms of model judges: a judge, how it is asked, a prompt, and the policy."""

import json
from typing import Any

from django import forms

from assess.asking.ask import MOST_CONCURRENCY, MOST_PER_SECOND, MOST_SAMPLE, MOST_SEED, WorkOptions
from assess.asking.judges import Example
from assess.asking.policy import MOST_SAMPLE as MOST_OF_TOPIC
from assess.asking.policy import MOST_TOP, PolicyRule
from assess.errors import Refused
from assess.lib.forms import SecretField
from assess.models import ModelJudge
from assess.web.requests import RefusingForm
from pooling.errors import shown

KINDS = [(kind.value, kind.label.partition(",")[0]) for kind in ModelJudge.Kind if kind != ModelJudge.Kind.FUNCTION]
MOST_PRICE = 1_000_000
LIMIT_NAMES = [
    ("auto", "the one that the server accepts"),
    ("max_completion_tokens", "max_completion_tokens"),
    ("max_tokens", "max_tokens, as for llama-cpp-python"),
]


class JudgeForm(RefusingForm):
    """A model judge. What is left empty is as usual."""

    kind = forms.ChoiceField(
        label="Kind", choices=KINDS, help_text="Chat completions are those of OpenAI, vLLM, Ollama or llama.cpp."
    )
    name = forms.CharField(label="Name", max_length=80, help_text="of the judge, such as qwen-direct")
    address = forms.CharField(
        label="Address",
        max_length=2_000,
        required=False,
        help_text="before /chat/completions, such as http://localhost:11434/v1",
    )
    model = forms.CharField(label="Model", max_length=200, required=False, help_text="such as qwen3:4b")
    prompt = forms.ChoiceField(label="Prompt", required=False)
    secret = SecretField()
    temperature = forms.FloatField(label="Temperature", required=False, min_value=0, max_value=2, help_text="0 to 2")
    max_tokens = forms.IntegerField(label="Longest answer", required=False, min_value=1, help_text="tokens")
    token_limit = forms.ChoiceField(
        label="Name of the limit",
        required=False,
        choices=LIMIT_NAMES,
        help_text="of the longest answer, as it is sent",
    )
    logprobs = forms.IntegerField(
        label="Alternatives", required=False, min_value=0, max_value=20, help_text="of each token; 0: no probabilities"
    )
    reasoning_effort = forms.CharField(label="Reasoning", required=False, max_length=200, help_text="such as low")
    extra = forms.CharField(label="Further parameters", required=False, max_length=10_000, help_text="a JSON object")
    header = forms.CharField(label="Header of the secret", required=False, max_length=100)
    examples = forms.CharField(
        label="Examples",
        required=False,
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="for a prompt with {examples}: topic, document and grade in each line",
    )

    def __init__(self, data: Any = None, prompts: list[str] | None = None, **options: Any) -> None:
        super().__init__(data, auto_id="judge_%s", **options)
        self.fields["prompt"].choices = [(name, name) for name in prompts or ()]  # type: ignore[attr-defined]

    def settings(self) -> dict[str, Any]:
        """Return the settings of the endpoint. What was left empty is as usual."""
        values = self.cleaned()
        if values["kind"] == ModelJudge.Kind.OFFLINE:
            return {}
        if values["kind"] == ModelJudge.Kind.UMBRELA:
            overrides = {"model": values["model"]} if values["model"] else {}
            return _stated(values, "address", "header") | {"overrides": overrides}
        extra = _object(values["extra"])
        names = ("address", "model", "temperature", "max_tokens", "token_limit", "logprobs", "reasoning_effort")
        return {**_stated(values, *names, "header"), **({"extra": extra} if extra else {})}

    def given_examples(self) -> list[Example]:
        """Return the examples: query_id, doc_id and grade."""
        rows = [line.split() for line in self.cleaned()["examples"].splitlines() if line.strip()]
        for row in rows:
            if len(row) != 3 or not (row[2].isascii() and row[2].isdigit()):
                raise Refused(f"An example has a topic, a document and a grade, not {shown(' '.join(row))}.")
        return [(query_id, doc_id, int(grade)) for query_id, doc_id, grade in rows]


class WorkForm(RefusingForm):
    """How a model is asked: its price, the budget and the pace."""

    price_input = forms.FloatField(
        label="Price, read", required=False, min_value=0, max_value=MOST_PRICE, help_text="of a million tokens"
    )
    price_output = forms.FloatField(
        label="Price, written", required=False, min_value=0, max_value=MOST_PRICE, help_text="of a million tokens"
    )
    most_cost = forms.FloatField(label="Budget", required=False, min_value=0, help_text="in the currency of the price")
    most_tokens = forms.IntegerField(label="Budget in tokens", required=False, min_value=1)
    concurrency = forms.IntegerField(
        label="At the same time", required=False, min_value=1, max_value=MOST_CONCURRENCY, help_text="requests"
    )
    per_second = forms.FloatField(
        label="In a second", required=False, min_value=0.01, max_value=MOST_PER_SECOND, help_text="requests"
    )
    seed = forms.IntegerField(
        label="Seed", required=False, min_value=0, max_value=MOST_SEED, help_text="draws the order"
    )
    sample = forms.IntegerField(label="Documents", required=False, min_value=1, max_value=MOST_SAMPLE)
    ask_failed_again = forms.BooleanField(label="Ask again where the answer had no grade", required=False)

    def options(self) -> WorkOptions:
        """Return what was stated."""
        values = self.cleaned()
        return WorkOptions(**{name: value for name, value in values.items() if value is not None})


class PromptForm(RefusingForm):
    """A prompt. Each save is a new version."""

    name = forms.CharField(label="Name", max_length=80)
    form = forms.ChoiceField(
        label="Answer", choices=[("json", "JSON with a grade"), ("line", "a text that ends with Grade: N")]
    )
    criteria = forms.CharField(
        label="Criteria", required=False, max_length=1_000, help_text="further grades, such as topicality, coverage"
    )
    scale_order = forms.ChoiceField(
        label="Scale",
        required=False,
        choices=[("ascending", "from the lowest grade"), ("descending", "from the highest grade")],
        help_text="the order of {scale}",
    )
    system = forms.CharField(
        label="System",
        required=False,
        max_length=50_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "class": "code"}),
    )
    user = forms.CharField(
        label="User", max_length=50_000, strip=False, widget=forms.Textarea(attrs={"rows": 12, "class": "code"})
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, auto_id="prompt_%s", **options)

    def clean_scale_order(self) -> str:
        """Return the order, which is the usual one if none is stated."""
        return self.cleaned_data["scale_order"] or "ascending"

    def given_criteria(self) -> list[str]:
        """Return the names of the further grades."""
        return [name.strip() for name in self.cleaned()["criteria"].split(",") if name.strip()]


class PolicyForm(RefusingForm):
    """Where people judge after a model."""

    judge = forms.ChoiceField(label="Model")
    unsure_below = forms.FloatField(
        label="Probability below", required=False, min_value=0, max_value=1, help_text="where it is unsure"
    )
    top = forms.IntegerField(
        label="First ranks", required=False, min_value=1, max_value=MOST_TOP, help_text="of any system"
    )
    per_topic = forms.IntegerField(
        label="At random", required=False, min_value=1, max_value=MOST_OF_TOPIC, help_text="documents of each topic"
    )
    judges = forms.IntegerField(label="People for each", min_value=1, max_value=20, initial=1)

    def __init__(self, data: Any = None, models: list[str] | None = None) -> None:
        super().__init__(data, auto_id="policy_%s")
        self.fields["judge"].choices = [(name, name) for name in models or ()]  # type: ignore[attr-defined]

    def rule(self) -> PolicyRule:
        """Return what was stated."""
        return PolicyRule(**self.cleaned())


def _stated(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: values[name] for name in names if values[name] not in (None, "")}


def _object(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(f"Further parameters must be a JSON object, not {shown(text)}.")
    return found
