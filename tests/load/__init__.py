"""Load: many assessors at once over HTTP, each a process, against the server as it runs in life."""
