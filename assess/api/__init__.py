"""The REST API under `/api/v1/`: the domain functions of pages and commands, for scripts with a token."""
