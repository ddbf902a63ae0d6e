"""The recipes of CONTRIBUTING.md, applied to a copy of the checkout. Each module of this package is one recipe.

A recipe has `NEW`, the text of new files by path, and `CHANGES`, a list of (path, text, text that replaces it). All
paths of a recipe are in its constants, and CONTRIBUTING.md names each of them.
"""
