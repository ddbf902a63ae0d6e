"""Variants of a prompt that ask for the same: the scale in the other order, and other words.

If grades depend on them, they depend on the wording and not on the documents alone. `agreement.trust.robustness` says
how far.
"""

from collections.abc import Sequence
from dataclasses import replace

from pooling.errors import shown
from pooling.models.prompts import SCALE_ORDERS, Prompt


def prompt_variants(prompt: Prompt, paraphrases: Sequence[Prompt] = ()) -> dict[str, Prompt]:
    """Return a prompt and its variants by name.

    Parameters
    ----------
    prompt : Prompt
        The prompt itself.
    paraphrases : sequence of Prompt
        The same in other words, such as `PARAPHRASES["direct"]`: with the same fields, form and criteria.

    Returns
    -------
    dict of str to Prompt
        The prompt, the prompt with the scale in the other order ("NAME, scale reversed"), and the paraphrases.

    Raises
    ------
    ValueError
        If a paraphrase has other fields, another form or other criteria, or two prompts have the same name or text.

    Examples
    --------
    >>> from pooling.models import PARAPHRASES, PROMPTS, prompt_variants
    >>> list(prompt_variants(PROMPTS["direct"], PARAPHRASES["direct"]))
    ['direct', 'direct, scale reversed', 'direct_2', 'direct_3']
    """
    other = SCALE_ORDERS[0] if prompt.is_descending else SCALE_ORDERS[1]
    reversed_scale = replace(prompt, name=f"{prompt.name}, scale reversed", scale_order=other)
    found: dict[str, Prompt] = {}
    for variant in (prompt, reversed_scale, *paraphrases):
        _refuse_other_question(prompt, variant)
        if variant.name in found:
            raise ValueError(f"Two prompts have the name {shown(variant.name)}.")
        if same := next((name for name, known in found.items() if known.hash == variant.hash), None):
            raise ValueError(f"The prompts {shown(same)} and {shown(variant.name)} have the same text.")
        found[variant.name] = variant
    return found


def _refuse_other_question(prompt: Prompt, variant: Prompt) -> None:
    """Raise ValueError if a variant shows the model something else, or asks for something else."""
    for name in ("fields", "form", "criteria"):
        own, other = getattr(prompt, name), getattr(variant, name)
        if own != other:
            raise ValueError(
                f"The {name} of {shown(variant.name)} must be those of {shown(prompt.name)}, {_listed(own)}, not "
                f"{_listed(other)}."
            )


def _listed(values: str | Sequence[str]) -> str:
    return values if isinstance(values, str) else ", ".join(values) or "none"
