"""Asks models to judge the pool of a collection: prompts, endpoints, orders, and the answers in the ledger."""
