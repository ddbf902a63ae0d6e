"""Which of the judgements that figures use were made with the suggestion of a model. Loads no pandas."""

from collections import Counter
from dataclasses import dataclass, field

from django.db.models import F

from assess.analysis.selection import EVERYTHING, Selection, is_graded
from assess.models import Assistance, Collection
from assess.suggestions.stored import ONLY, WITHOUT, has_assisted
from pooling.words import count


@dataclass(frozen=True)
class AssistedJudgements:
    """How many graded judgements of a selection were assisted, of how many, and those of each judge by each model.

    `part` is the part of the judgements that was selected.
    """

    total: int = 0
    by_pair: Counter[tuple[str, str]] = field(default_factory=Counter)
    part: str = ""

    @property
    def sentence(self) -> str:
        """Say how many judgements were assisted, or what is left out or alone; empty if there is nothing to say."""
        if self.part == WITHOUT:
            return "Judgements that were made with the suggestion of a model are left out."
        n = self.by_pair.total()
        who = ", ".join(f"{judge} {number:,} by {model}" for (judge, model), number in sorted(self.by_pair.items()))
        if self.part == ONLY:
            return f"Only judgements made with the suggestion of a model ({who or 'none'}), and the grades of models."
        if not n:
            return ""
        were = "was" if n == 1 else "were"
        return f"{n:,} of {count(self.total, 'judgement')} {were} made with the suggestion of a model: {who}."

    def of_pair(self, a: str, b: str) -> str:
        """Say in how many judgements one of two judges was assisted by the other; empty if in none."""
        parts = [
            f"{judge} graded {count(n, 'document')} with the suggestion of {model}"
            for judge, model in ((a, b), (b, a))
            if (n := self.by_pair[judge, model])
        ]
        return f"{' and '.join(parts)}, so the two are not independent." if parts else ""

    @property
    def pairs(self) -> list[str]:
        """Return the sentence about each pair of judges of which one was assisted by the other."""
        return [self.of_pair(judge, model) for judge, model in sorted(self.by_pair)]


def assisted_judgements(collection: Collection, selection: Selection = EVERYTHING) -> AssistedJudgements:
    """Count the assisted judgements among those that a selection includes."""
    if not has_assisted(collection):
        return AssistedJudgements(part=selection.assisted)
    graded = is_graded(selection.judgements(collection))
    rows = Assistance.objects.filter(event__judgement__in=graded.values("pk").order_by())
    last = rows.filter(event__version=F("event__judgement__version"))
    by_pair = Counter(last.values_list("event__member__name", "judge"))
    return AssistedJudgements(graded.count(), by_pair, selection.assisted)
