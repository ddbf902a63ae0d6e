"""How a pool was made: its strategy, parameters and seed, also where it was made of two pools or added to.

What was drawn knows the probability of what is in it, and not of what is left out. So two samples can neither be put
together nor taken from each other: the probability of a document in one is unknown in the other.
"""

ADDED = ("hand", "search")
MADE_OF_TWO = ("union", "difference")
TWO_SAMPLES = (
    "both pools were drawn at random, and neither knows how probable the documents were that it did not draw:"
    " draw one stratified sample instead"
)
MINUS_SAMPLE = (
    "the pool to be taken away was drawn at random, and does not know how probable the documents were that it did not"
    " draw: draw one stratified sample instead"
)


def with_added(pool, how: str, n_new: int, n_drawn: int) -> dict[str, int]:
    """How many documents were added so far, and how many that were drawn were made certain; only what there is."""
    before = pool.parameters.get("added", {})
    counts = {how: n_new, "made_certain": n_drawn}
    added = {name: before.get(name, 0) + counts.get(name, 0) for name in (*ADDED, "made_certain")}
    return {name: number for name, number in added.items() if number}


def drawn(pool) -> bool:
    """Whether chance had a part in it.

    A pool that was changed after the draw may have lost all that tells, or had it made certain: there the seed tells.
    """
    changed = pool.strategy in MADE_OF_TWO or "added" in pool.parameters
    return bool((pool.frame["inclusion_probability"] < 1).any()) or (changed and _has_seed(recipe(pool)))


def _has_seed(recipe: dict) -> bool:
    if recipe["strategy"] in MADE_OF_TWO:
        return any(_has_seed(recipe["parameters"][part]) for part in ("first", "second"))
    return recipe["seed"] is not None


def made_of(first, second) -> tuple[dict, None, dict[str, str], str | None]:
    """Parameters, seed, inputs and precision of the scores of what is made of two pools."""
    changed = sorted(name for name in first.inputs.keys() & second.inputs if first.inputs[name] != second.inputs[name])
    if changed:
        raise ValueError(f"the two pools come from different files of the name {changed[0]!r}; pool the same runs")
    precision = first.score_precision if first.score_precision == second.score_precision else None
    return {"first": recipe(first), "second": recipe(second)}, None, first.inputs | second.inputs, precision


def told(recipe: dict) -> str:
    """A strategy and its parameters in words."""
    parameters = recipe["parameters"]
    if recipe["strategy"] in MADE_OF_TWO:
        return f"{recipe['strategy']} of {told(parameters['first'])} and {told(parameters['second'])}"
    named = {name: value for name, value in parameters.items() if name != "added" and value is not None}
    named |= {} if recipe["seed"] is None else {"seed": recipe["seed"]}
    return f"{recipe['strategy']} ({', '.join(f'{name} {value}' for name, value in named.items())})"


def recipe(pool) -> dict:
    """What is needed to make it again from the same files."""
    made_by = {"strategy": pool.strategy, "parameters": pool.parameters, "seed": pool.seed}
    return made_by if pool.score_precision is None else made_by | {"score_precision": pool.score_precision}
