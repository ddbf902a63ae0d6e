"""Near-duplicate documents of a collection: found by a job, accepted at a threshold, and judged consistently or not."""
