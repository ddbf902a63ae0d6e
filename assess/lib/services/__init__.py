"""Servers of others that the site uses, from environment variables."""
