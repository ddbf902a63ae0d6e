"""The figures of the reveal, one step a module. Each has

    figures(material, asked)    what the instructor's screen shows
    own(material, seat)         what one student sees of it, on their own device

and refuses with a sentence where there is nothing to show. These modules load pandas.
"""

from assess.teaching.reveal import contested, everybody, matrix, pair, prevalence, ranking

BY_SLUG = {
    "pair": pair,
    "class": matrix,
    "all": everybody,
    "contested": contested,
    "prevalence": prevalence,
    "ranking": ranking,
}
