"""Runs straight from search engines: allowed hosts, engines with their secrets, the job that asks, and the pages."""
