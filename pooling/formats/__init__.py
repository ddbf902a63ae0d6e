"""Formats of files from other programs, and the recognition of all formats by their content."""
