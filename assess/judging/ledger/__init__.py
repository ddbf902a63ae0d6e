"""The ledger of judgements: what changed it after it was written."""

from assess.judging.ledger.problems import ledger_problems, ledger_size, snapshot

__all__ = ["ledger_problems", "ledger_size", "snapshot"]
