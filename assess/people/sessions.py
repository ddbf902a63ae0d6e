"""Django's sessions in the database, read by a query that is composed once: every request reads one."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import DateTimeField
from django.utils import timezone

from assess.lib.prepared import Composed, Given

DATA = Composed(
    lambda: Session.objects.filter(session_key=Given("key"), expire_date__gt=Given("now", DateTimeField())).values_list(
        "session_data", flat=True
    )
)


class SessionStore(db.SessionStore):
    def load(self):
        data = DATA.first(key=self.session_key, now=timezone.now())
        if data is None:
            self._session_key = None  # as Django does: a key that nobody has is not taken over
            return {}
        return self.decode(data)
