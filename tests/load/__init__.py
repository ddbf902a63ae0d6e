"""Load tests: many assessors as processes, over HTTP, against a server as in production."""
