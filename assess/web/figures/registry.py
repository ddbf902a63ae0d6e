"""Every page with tables or figures that can be downloaded. URLs name a page, and its table or figure."""

from collections.abc import Mapping

from assess.calibration.views import CALIBRATION
from assess.marginal.views import MARGINAL
from assess.model_judges.views import MODEL_JUDGES
from assess.near_duplicates.views import INCONSISTENT_GROUPS
from assess.search.report_views import SEARCH_REPORT
from assess.web.figures.page import Page
from assess.web.research.agreement.downloads import AGREEMENT, EVERY_PAIR, PAIR
from assess.web.research.documents.downloads import DOCUMENT, DOCUMENTS
from assess.web.research.pool.downloads import POOL
from assess.web.research.runs_views import RUNS
from assess.web.research.shift.downloads import SHIFT
from assess.web.research.topics_views import TOPICS
from assess.web.research.work.monitor_downloads import WORK
from assess.web.research.work.stopping_downloads import STOPPING, STOPPING_TOPIC

PAGES: Mapping[str, Page] = {
    "agreement": AGREEMENT,
    "every_pair": EVERY_PAIR,
    "pair": PAIR,
    "shift": SHIFT,
    "documents": DOCUMENTS,
    "document": DOCUMENT,
    "work": WORK,
    "stopping": STOPPING,
    "stopping_topic": STOPPING_TOPIC,
    "pool": POOL,
    "topics": TOPICS,
    "runs": RUNS,
    "calibration": CALIBRATION,
    "marginal": MARGINAL,
    "model_judges": MODEL_JUDGES,
    "near_duplicates": INCONSISTENT_GROUPS,
    "search": SEARCH_REPORT,
}
