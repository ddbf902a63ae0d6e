"""The sentence that answers: how much does it matter which judge?

"Little", "somewhat" and "much" go by the tau_b with the mean scores that 39 of 40 mixed golds reach (its 2.5 %
quantile), with the bounds of `agreement.shift.summary`.
"""

from agreement.estimate import REASONS
from agreement.rank_correlation import TIE
from agreement.shift.summary import LITTLE, MUCH

OFTEN = 0.05


def mixing_sentence(mixed) -> str:
    """One sentence about `MixedGolds`, computed from its figures."""
    if mixed.combinations == 1:
        return f"Not to be said: {_who(mixed)}, so that there is one gold and nothing to mix."
    against_mean = mixed.taus.iloc[0]
    if not against_mean["n_defined"]:
        return f"Not to be said: tau_b is undefined ({REASONS[against_mean['reason']]})."
    told = f"{_tau(against_mean)}, {_pairs(mixed)}, {_top(mixed)}"
    return f"{_answer(mixed, against_mean)}: over {_basis(mixed)}, {told}."


def _who(mixed) -> str:
    if len(mixed.judges) == 1:
        return f"{mixed.judges[0]} is the only judge"
    return "every topic has one judge"


def _answer(mixed, against_mean) -> str:
    top_stays = _top_stays(mixed)
    if top_stays and against_mean["least"] > 1 - TIE and not against_mean["n_undefined"]:
        return "Not at all"
    least = against_mean["q2_5"]
    whole = "Little" if least >= LITTLE else "Much" if least < MUCH else "Somewhat"
    return f"{whole} at the whole, and {'not' if top_stays else 'yes'} at the top"


def _top_stays(mixed) -> bool:
    return bool((mixed.top_changes["at_top"] == mixed.draws).all())


def _basis(mixed) -> str:
    golds = _count(mixed.draws, "mixed gold")
    chance = "" if mixed.exhaustive else f", seed {mixed.seed}"
    judges = f"{len(mixed.judges)} judges, {_count(mixed.n_topics, 'topic')}, {mixed.measure}{chance}"
    return f"{'all ' if mixed.exhaustive else ''}{golds} ({judges})"


def _tau(against_mean) -> str:
    value = f"tau_b with the ranking by mean scores is {against_mean['q50']:z.3f} in the median and "
    value += f"{against_mean['q2_5']:z.3f} or more in 39 of 40"
    lacking = against_mean["n_undefined"]
    return f"{value} (undefined in {lacking:,}: {REASONS[against_mean['reason']]})" if lacking else value


def _pairs(mixed) -> str:
    number = len(mixed.unsettled(OFTEN))
    turned = f"{number:,} of {_count(len(mixed.orders), 'pair')} of systems" if number else "no pair of systems"
    return f"{turned} {'turn' if number > 1 else 'turns'} over in 1 of 20 or more"


def _top(mixed) -> str:
    first, others = mixed.top_changes.iloc[0], len(mixed.top_changes) - 1
    if _top_stays(mixed):
        return f"and the best is always {f'a tie of {others + 1} systems' if others else first['system']}"
    return f"and the best is {first['system']} in {first['share']:.0%}, and at times {_count(others, 'other')}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
