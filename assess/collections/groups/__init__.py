"""Groups within a collection: the sets of its topics, and the runs that repeat one system."""
