"""The state of a collection and the steps of its campaign."""
