"""Worksheets: questions about a table or a ranking, with checked answers, hints at likely mistakes, and marks."""
