"""The contents of documents: stored, sanitised and prepared for display."""
