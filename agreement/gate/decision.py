"""The five decisions of the gate, their exit codes, and how an interval and several golds lead to one of them.

==================== ==== =============================================================================================
decision             code when
==================== ==== =============================================================================================
win_or_tie           0    the lower limit of the interval is at or above -margin: the candidate is not worse by more
loss                 1    the upper limit is below -margin: the candidate is worse by more
inconclusive         2    neither, or there is no interval
too_many_unjudged    3    under some gold, too much is unjudged, or the unjudged documents could change the decision
depends_on_the_judge 4    the golds lead to different decisions
==================== ==== =============================================================================================

The order for several golds is: too_many_unjudged if any gold leads to it, because what this gold would decide is not
known yet and golds cannot be compared; then depends_on_the_judge if the golds differ; then the decision that they
share.

An interval is compared with -margin in one way only, so that exactly one of the first three decisions holds. Numbers
closer than 1e-12 are equal.
"""

from collections.abc import Iterable

from agreement.rank_correlation import TIE

WIN_OR_TIE, LOSS, INCONCLUSIVE = "win_or_tie", "loss", "inconclusive"
TOO_MANY_UNJUDGED, DEPENDS_ON_THE_JUDGE = "too_many_unjudged", "depends_on_the_judge"
CODES = {WIN_OR_TIE: 0, LOSS: 1, INCONCLUSIVE: 2, TOO_MANY_UNJUDGED: 3, DEPENDS_ON_THE_JUDGE: 4}


def words(decision: str) -> str:
    """Return a decision in words.

    Examples
    --------
    >>> from agreement.gate.decision import words
    >>> words("win_or_tie")
    'win or tie'
    """
    return decision.replace("_", " ")


def decide(low: float | None, high: float | None, margin: float) -> str:
    """Return the decision of an interval of candidate minus baseline; None is an unknown limit.

    Examples
    --------
    >>> from agreement.gate.decision import decide
    >>> decide(-0.005, 0.02, 0.01), decide(-0.05, -0.02, 0.01), decide(-0.05, 0.02, 0.01), decide(None, None, 0.01)
    ('win_or_tie', 'loss', 'inconclusive', 'inconclusive')
    """
    if low is None or high is None:
        return INCONCLUSIVE
    if low >= -margin - TIE:
        return WIN_OR_TIE
    return LOSS if high < -margin - TIE else INCONCLUSIVE


def combined(decisions: Iterable[str]) -> str:
    """Return the decision of several golds.

    Examples
    --------
    >>> from agreement.gate.decision import combined
    >>> combined(["loss", "loss"]), combined(["loss", "win_or_tie"]), combined(["loss", "too_many_unjudged"])
    ('loss', 'depends_on_the_judge', 'too_many_unjudged')
    """
    different = set(decisions)
    if TOO_MANY_UNJUDGED in different:
        return TOO_MANY_UNJUDGED
    return different.pop() if len(different) == 1 else DEPENDS_ON_THE_JUDGE
