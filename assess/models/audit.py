"""The audit log: who signed in, exported, changed roles, or erased somebody, and when."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.collection import Collection

ADDRESS_HASH_LENGTH = 32


class Action(models.TextChoices):
    """What happened. Neither the field nor the database lists the values, so a new action needs no migration."""

    SIGNED_IN = "signed_in", "signed in"
    SIGN_IN_FAILED = "sign_in_failed", "sign-in failed"
    LOCKED_OUT = "locked_out", "sign-in locked"
    SIGN_IN_UNLOCKED = "sign_in_unlocked", "sign-in unlocked"
    PASSWORD_CHANGED = "password_changed", "password changed"
    PASSWORD_RESET = "password_reset", "password reset"
    RESET_LINK_CREATED = "reset_link_created", "reset link created"
    TOKEN_CREATED = "token_created", "API token created"
    TOKEN_REVOKED = "token_revoked", "API token revoked"
    EMAIL_CHANGED = "email_changed", "email address changed"
    CODE_FAILED = "code_failed", "code of the second factor failed"
    SECOND_FACTOR_ON = "second_factor_on", "second factor on"
    SECOND_FACTOR_OFF = "second_factor_off", "second factor off"
    RECOVERY_CODES = "recovery_codes", "new recovery codes"
    OPENID_CONNECTED = "openid_connected", "OpenID connected"
    OPENID_DISCONNECTED = "openid_disconnected", "OpenID disconnected"
    LINK_CREATED = "link_created", "owner link created"
    LINK_USED = "link_used", "owner link used"
    COLLECTION_CREATED = "collection_created", "collection created"
    COLLECTION_CHANGED = "collection_changed", "collection changed"
    COLLECTION_ARCHIVED = "collection_archived", "collection archived"
    COLLECTION_RESTORED = "collection_restored", "collection restored from the archive"
    COLLECTION_DELETED = "collection_deleted", "collection deleted"
    MEMBER_ADDED = "member_added", "member added"
    MEMBER_REMOVED = "member_removed", "member removed"
    POOL_UNDONE = "pool_undone", "pool building undone"
    ROLE_CHANGED = "role_changed", "role changed"
    SIGHTED_ALLOWED = "sighted_allowed", "judging allowed after seeing the runs"
    INVITATION_CREATED = "invitation_created", "invitation created"
    INVITATION_REVOKED = "invitation_revoked", "invitation revoked"
    EXPORTED = "exported", "exported"
    ADJUDICATION_CREATED = "adjudication_created", "adjudication created"
    ADJUDICATION_UNDONE = "adjudication_undone", "adjudication undone"
    NORMING_BEGUN = "norming_begun", "norming round begun"
    NORMING_MOVED = "norming_moved", "norming round in its next phase"
    NORMING_UNDONE = "norming_undone", "norming round undone"
    KNOWN_GRADES_CHANGED = "known_grades_changed", "known grades changed"
    CALIBRATION_CHANGED = "calibration_changed", "practice and checks changed"
    ASSESSOR_ADMITTED = "assessor_admitted", "assessor admitted"
    PRACTICE_BELOW = "practice_below", "researchers informed of a practice below the threshold"
    DUPLICATES_ACCEPTED = "duplicates_accepted", "near-duplicates accepted"
    HOST_ALLOWED = "host_allowed", "host allowed for search engines"
    HOST_REMOVED = "host_removed", "host no longer allowed for search engines"
    ENGINE_SAVED = "engine_saved", "search engine saved"
    ENGINE_DELETED = "engine_deleted", "search engine deleted"
    ENGINE_ASKED = "engine_asked", "run requested from a search engine"
    HOST_CONFIRMED = "host_confirmed", "host confirmed for the documents of the collection"
    PROMPT_SAVED = "prompt_saved", "version of a prompt saved"
    MODEL_SAVED = "model_saved", "model judge saved"
    MODEL_DELETED = "model_deleted", "model judge deleted"
    MODEL_ASKED = "model_asked", "grades requested from a model judge"
    MODEL_RULES = "model_rules", "rules on models changed"
    MODEL_POLICY = "model_policy", "policy on grades of models changed"
    RELEASED = "released", "gold released"
    RELEASE_WITHDRAWN = "release_withdrawn", "archive of a release deleted"
    SUGGESTIONS_CHANGED = "suggestions_changed", "suggestions of a model changed"
    SEARCHERS_CHANGED = "searchers_changed", "searchers changed"
    IMPORT_UNDONE = "import_undone", "import undone"
    TEXTS_REPLACED = "texts_replaced", "texts of documents replaced"
    JUDGED_AGAIN = "judged_again", "judgements requested again"
    CHANGE_KEPT = "change_kept", "changed texts that do not matter"
    JUDGE_WITHDRAWN = "judge_withdrawn", "imported judge withdrawn"
    JUDGE_RESTORED = "judge_restored", "imported judge restored"
    JUDGE_CHANGED = "judge_changed", "record of an imported judge changed"
    SAMPLE_DRAWN = "sample_drawn", "documents drawn for people"
    EXERCISE_CREATED = "exercise_created", "exercise created"
    MEMBERS_ERASED = "members_erased", "members erased"
    PERSON_ERASED = "person_erased", "person erased"
    ACCOUNT_DEACTIVATED = "account_deactivated", "account deactivated"
    ACCOUNT_REACTIVATED = "account_reactivated", "account reactivated"
    SESSIONS_ENDED = "sessions_ended", "sessions ended"
    BACKED_UP = "backed_up", "backed up"
    JUDGING_OPENED = "judging_opened", "judging opened"
    JUDGING_PAUSED = "judging_paused", "judging paused"
    JUDGING_CLOSED = "judging_closed", "judging closed"
    PILOT_CREATED = "pilot_created", "pilot created"
    PILOT_UNDONE = "pilot_undone", "pilot undone"
    REMINDED = "reminded", "reminder sent"
    RESTORED = "restored", "restored from a backup"
    REHEARSED = "rehearsed", "restore rehearsed"
    LEDGER_VERIFIED = "ledger_verified", "ledger verified"


class AuditEvent(models.Model):
    """One entry of the audit log, which triggers make append-only (migration 0018).

    `actor` did it; null for a command, and for a visitor who is not signed in. `person` is the one it was done to.
    Both are keys without a constraint in the database: erasing a person changes no entry, and the key, which is never
    used again, then leads to nobody. So does the key of a deleted collection, whose slug stays.

    `subject` and `details` never contain the name of a person, not even a pseudonym, since nothing could remove it.
    `address_hash` is a keyed hash of the network address, for failed sign-ins only.
    """

    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=24)  # one of Action
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    collection = models.ForeignKey(
        Collection, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    collection_slug = models.CharField(max_length=80, blank=True)
    subject = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)
    address_hash = models.CharField(max_length=ADDRESS_HASH_LENGTH, blank=True)

    class Meta:
        indexes = [
            # The log of one collection, newest first.
            models.Index(fields=["collection", "id"], name="audit_of_collection"),
            # The last failed sign-ins from an address.
            models.Index(fields=["address_hash", "at"], name="audit_from_address", condition=~Q(address_hash="")),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.action} {self.collection_slug}".rstrip()
