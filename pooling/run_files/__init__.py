"""Run files read for `pooling.ranking.prepare`: their fields, and their rankings without a DataFrame in between."""
