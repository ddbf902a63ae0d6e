"""Figures of systems on topics, and of the documents that systems share."""
