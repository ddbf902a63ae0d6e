"""A figure of a page: the scores of all systems under two golds, on the page of the shift."""

NAME = "scores"
FIGURES = "assess/web/research/shift/named_figures.py"
VIEWS = "assess/web/research/shift/views.py"
TEMPLATE = "templates/research/shift/shift.html"

NEW: dict[str, str] = {}
CHANGES = [
    (
        FIGURES,
        "FIGURES: dict[str, Callable",
        f"""def {NAME}(source: Source, kind: str, **place: Any) -> bytes:
    from agreement import plots  # importing matplotlib takes a second

    golds = source.shift.reference, _against(source)
    rows = source.shift.ranks_under(golds[1]).set_index("system")
    labels = [f"{{source.shift.measure}} under {{gold}}" for gold in golds]
    return plots.score_scatter(rows["reference_score"], rows["score"], *labels, kind=kind, **place)


FIGURES: dict[str, Callable""",
    ),
    (FIGURES, '    "slope": slope,\n', f'    "slope": slope,\n    "{NAME}": {NAME},\n'),
    (
        FIGURES,
        "LABELS = {\n",
        f'LABELS = {{\n    "{NAME}": "Chart of the systems\' scores under two golds",\n',
    ),
    (
        VIEWS,
        '        "ranges_figure": shown_figure(',
        f'        "{NAME}_figure": shown_figure(source, "{NAME}") if source.against else None,\n'
        '        "ranges_figure": shown_figure(',
    ),
    (
        TEMPLATE,
        '{% include "research/_figure.html" with shown=figure words="Point at a line',
        f'{{% include "research/_figure.html" with shown={NAME}_figure words="Each point is a system." %}}\n'
        '  {% include "research/_figure.html" with shown=figure words="Point at a line',
    ),
]
