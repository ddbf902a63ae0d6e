"""The number of rows sent to the database at once."""

BATCH = 2_000
