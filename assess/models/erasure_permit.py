"""The one door in the append-only ledger: what a person asked to have erased."""

from django.db import models

from assess.models.collection import Member


class ErasurePermit(models.Model):
    """While a row is here, the ledger's triggers let the member's events go (everybody's, where member is null).

    A row is written and deleted within the transaction that erases; nobody else ever sees one.
    """

    member = models.ForeignKey(Member, models.CASCADE, null=True, related_name="+")

    class Meta:
        db_table = "assess_erasing"  # the triggers of the ledger read this table

    def __str__(self) -> str:
        return f"erasing {self.member_id}"
