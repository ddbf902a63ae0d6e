"""The reports on agreement and shift, as text and as data, and their figures."""

import json

from agreement.reports.agreement_report import agreement_text
from agreement.reports.results import result_json
from agreement.reports.shift_report import shift_text
from assess.releases.source import ReleaseSource


def files(source: ReleaseSource) -> dict[str, bytes]:
    return _agreement(source) | _shift(source)


def _agreement(source: ReleaseSource) -> dict[str, bytes]:
    if source.agreement_report is None:
        return {}
    text = agreement_text(source.ratings, source.spec.agreement_rel, style="markdown", **source.agreement_options)
    data = json.dumps(source.agreement_report, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return {"reports/agreement.md": text.encode(), "reports/agreement.json": data.encode()}


def _shift(source: ReleaseSource) -> dict[str, bytes]:
    shift = source.shift
    if shift is None or not shift.others:
        return {}
    from agreement import plots  # loads matplotlib

    against = shift.farthest or shift.others[0]
    return {
        "reports/shift.md": shift_text(shift, style="markdown").encode(),
        "reports/shift.json": result_json(shift).encode(),
        "figures/ranks.svg": plots.slope_chart(shift.only(against)),
        "figures/tau.svg": plots.tau_heat_map(shift),
    }
