"""When work ends if people continue as they do now. Without enough data there is a reason instead of a date."""

from dataclasses import dataclass
from datetime import datetime, timedelta

WINDOW = timedelta(days=7)  # the present pace is that of these days
LEAST_TIME = timedelta(days=1)  # a few minutes of judging say nothing about a day
LEAST_JUDGEMENTS = 10
LONGEST = timedelta(days=3_650)
ASSUMPTION = (
    f"A forecast assumes that each person judges as many documents a day as in the last {WINDOW.days} days, or since "
    f"their first judgement in them, but at least a day. It needs {LEAST_JUDGEMENTS} judgements in that time."
)


@dataclass(frozen=True)
class Forecast:
    """The expected end, or the reason why it is undefined."""

    ends_at: datetime | None = None
    reason: str = ""


def forecast(open_documents: int, recent: int, since: datetime | None, now: datetime) -> Forecast:
    """Return when the open documents are judged.

    `recent` is the number of judgements in the last WINDOW before `now`, and `since` the time of the first of them.
    """
    if not open_documents:
        return Forecast(reason="nothing is open")
    if since is None or recent < LEAST_JUDGEMENTS:
        return Forecast(reason=f"{recent} of {LEAST_JUDGEMENTS} judgements needed")
    needed = max(now - since, LEAST_TIME) / recent * open_documents
    if needed > LONGEST:
        return Forecast(reason="more than ten years")
    return Forecast(now + needed)


def last_of(forecasts: list[Forecast]) -> Forecast:
    """Return the end of the work of several people, who each have open documents."""
    if not forecasts:
        return Forecast(reason="nothing is open")
    ends = [each.ends_at for each in forecasts if each.ends_at]
    if undefined := len(forecasts) - len(ends):
        people = "judge has" if undefined == 1 else "judges have"
        return Forecast(reason=f"{undefined} {people} open documents but too few recent judgements")
    return Forecast(max(ends))
