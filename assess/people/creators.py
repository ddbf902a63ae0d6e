"""Who may create collections: settings.COLLECTION_CREATORS."""

from django.conf import settings

from assess.access import RESEARCHERS
from assess.models import User

SITE_OWNERS, INVITED_RESEARCHERS = "site-owners", "researchers"


def may_create_collections(user: User) -> bool:
    """Whether a user may create a collection: a site owner or, if the site allows it, an owner or researcher of one."""
    if user.is_superuser:
        return True
    return (
        settings.COLLECTION_CREATORS == INVITED_RESEARCHERS and user.memberships.filter(role__in=RESEARCHERS).exists()
    )
