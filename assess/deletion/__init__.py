"""Deletes collections: what will be lost, what must be exported before, and the deletion itself."""
