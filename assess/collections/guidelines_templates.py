"""Texts to start guidelines from, one for each usual scale. Researchers replace the example by their own."""

from collections.abc import Sequence
from dataclasses import dataclass

QUESTION = """# What to judge

Read the topic first: its description says what the person wants to know. Then judge each document on its own, as if you
had not seen the others. Judge what the document says, not how well it is written, and not where it comes from.

"""
DOUBT = """
# In doubt

- Long documents: one relevant passage is enough.
- A document that only links to the answer does not have it.
- If a text is damaged or in a language that you do not read, choose "cannot judge".
"""
BINARY = """# Grades

| Grade | Choose it if |
|---|---|
| 1 | the document has anything that you would use in a report on the topic |
| 0 | it has nothing of this kind, even if it uses the same words |

# An example

Topic: *How is rust removed from garden tools?*

- **1**: a page on care of spades, of which one sentence recommends vinegar and steel wool.
- **0**: a shop that sells spades which do not rust.
"""
TREC = """# Grades

| Grade | Choose it if |
|---|---|
| 2 | the topic is the main subject of the document, or it answers the question on its own |
| 1 | the document has something useful, but little of it, or only beside another subject |
| 0 | it has nothing useful |

# An example

Topic: *How is rust removed from garden tools?*

- **2**: instructions for removing rust from spades, step by step.
- **1**: a calendar of garden work that says "brush off rust in November".
- **0**: an explanation of why iron rusts.
"""
DEEP_LEARNING = """# Grades

| Grade | Choose it if |
|---|---|
| 3 | the passage is about the question and contains its exact answer |
| 2 | it has some of the answer, but unclear, incomplete, or hidden among other things |
| 1 | it is about the subject of the question, but does not answer it |
| 0 | it has nothing to do with the question |

# An example

Question: *How long does rust take to dissolve in vinegar?*

- **3**: "Leave the blade in vinegar overnight, about twelve hours, and the rust wipes off."
- **2**: "Vinegar dissolves rust slowly; plan for more than an evening."
- **1**: "Vinegar, lemon and baking soda all remove rust."
- **0**: "Vinegar is made from wine."
"""


@dataclass(frozen=True)
class GuidelinesTemplate:
    """A text for a scale with this many grades."""

    name: str
    label: str
    grades: int
    text: str


TEMPLATES = {
    each.name: each
    for each in (
        GuidelinesTemplate("binary", "Binary, 0 and 1", 2, QUESTION + BINARY + DOUBT),
        GuidelinesTemplate("trec", "Graded, 0 to 2", 3, QUESTION + TREC + DOUBT),
        GuidelinesTemplate("deep-learning", "Answers in passages, 0 to 3", 4, QUESTION + DEEP_LEARNING + DOUBT),
    )
}


def templates_for(scale: Sequence[int]) -> list[tuple[GuidelinesTemplate, bool]]:
    """Return the templates, and whether each has the grades of a scale. Fitting ones come first."""
    fitting = [(each, list(scale) == list(range(each.grades))) for each in TEMPLATES.values()]
    return sorted(fitting, key=lambda row: not row[1])
