"""The ledger of judgements: what changed it after it was written."""

from assess.judging.ledger.problems import ledger_problems, ledger_size, snapshot
from assess.judging.ledger.verification import chain_count, record_verification

__all__ = ["chain_count", "ledger_problems", "ledger_size", "record_verification", "snapshot"]
