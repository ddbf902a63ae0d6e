"""The ledger of judgements: what changed it after it was written."""

from assess.judging.ledger.problems import chain_count, ledger_problems, ledger_size, record_verification, snapshot

__all__ = ["chain_count", "ledger_problems", "ledger_size", "record_verification", "snapshot"]
