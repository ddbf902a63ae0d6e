"""Tests of the documentation site and of the code that builds it."""
