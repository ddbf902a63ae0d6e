"""The state of the site for its owners: the page Status, `assay status` and /metrics."""

from assess.status.sections import Section, sections
from assess.status.site import SiteStatus, site_status

__all__ = ["Section", "SiteStatus", "sections", "site_status"]
