"""Suggestions of a model next to the document, for studies of what they do to judgements. They are off by default.

`choice` turns them on and off, `shown` shows them and says which judgements were made with one, and `stored` reads that
from the ledger.
"""
