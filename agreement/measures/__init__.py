"""A module for each effectiveness measure. `agreement/effectiveness/registry.py` has their names and parameters."""
