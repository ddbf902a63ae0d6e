"""Practice documents with known grades, the admission of assessors, and hidden checks."""
