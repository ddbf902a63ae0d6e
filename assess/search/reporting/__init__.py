"""Parts of the report on searching, its tables, and the recorded searches as a file."""
