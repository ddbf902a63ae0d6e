"""Judging the documents of a group of near-duplicates in a row, or with one judgement."""
