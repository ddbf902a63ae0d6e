"""How many rows go to the database at once."""

BATCH = 2_000
