"""Figures of large collections take long to draw: a job draws them, and the page waits for it."""

from contextlib import suppress

from django.http import QueryDict

from assess.analysis import pending
from assess.jobs import results
from assess.jobs.pending import Pending, Started, known_or_pending
from assess.models import Collection, User
from assess.web.research.shift.named_figures import drawing_key, widths_of
from assess.web.research.shift.page import shown_figure
from assess.web.research.shift.source import Source


def wait_for_figures(source: Source, *names: str) -> None:
    """Raise Pending if the collection is large and some of these figures of a page are not drawn."""
    missing = (
        key for key in (drawing_key(name, source, widths_of(name)[0]) for name in names) if results.get(key) is None
    )
    if (key := next(missing, None)) is None or pending.is_small_for_shift(source.collection, source.inputs):
        return
    arguments = {"user": source.user.pk, "query": source.query.urlencode(), "names": names}
    known_or_pending("shift_figures", source.collection, source.user, key, arguments)


def draw_figures(collection: Collection, key: str, user: int, query: str, names: list[str]) -> Started:
    """Draw figures of a page for the cache of results: the function of the job `shift_figures`."""
    reader = User.objects.get(pk=user)
    source = Source.from_query(collection.members.get(user=reader), reader, QueryDict(query))
    with suppress(Pending):  # judgements have changed, so that the page waits for other numbers first
        for name in names:
            shown_figure(source, name)
    return Started(key)
