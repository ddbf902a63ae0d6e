"""The demo collection: Python's own help texts, twelve topics, five runs, three assessors' judgements."""
