"""What the report on searching can be asked for. Pages and commands import this: it does not load pandas."""

RULES = {"union": "the highest grade", "majority": "the lower median", "intersection": "the lowest grade"}
PARTS = ("searchers", "topics", "systems", "documents")
