"""Permits that allow an erasure to delete events from the append-only ledger."""

from django.db import models

from assess.models.collection import Member


class ErasurePermit(models.Model):
    """While this row exists, the ledger's triggers allow the member's events to be deleted.

    If `member` is null, they allow it for everyone. A row is created and deleted within the transaction that erases,
    so no other transaction sees it.
    """

    member = models.ForeignKey(Member, models.CASCADE, null=True, related_name="+")

    class Meta:
        db_table = "assess_erasing"  # the triggers of the ledger read this table

    def __str__(self) -> str:
        return f"erasing {self.member_id}"
