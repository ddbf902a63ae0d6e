"""The reports on agreement and shift, as text and as data, and their figures."""

from assess.releases.figures import shift_files
from assess.releases.source import ReleaseSource


def files(source: ReleaseSource) -> dict[str, bytes]:
    return source.agreement_files() | shift_files(source.shift) | _figures(source)


def _figures(source: ReleaseSource) -> dict[str, bytes]:
    shift = source.shift
    if shift is None or not shift.others:
        return {}
    from agreement import plots  # loads matplotlib

    against = shift.farthest or shift.others[0]
    return {
        "figures/ranks.svg": plots.slope_chart(shift.only(against)),
        "figures/tau.svg": plots.tau_heat_map(shift),
    }
