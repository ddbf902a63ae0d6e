"""Full-text search over the documents of a collection: its grammar, index, results and report."""
