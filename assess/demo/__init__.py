"""The demo collection: Python help texts as documents, twelve topics, five runs, three assessors."""
