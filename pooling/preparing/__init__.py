"""Tables and run files as integers: the steps of `pooling.ranking.prepare`."""
