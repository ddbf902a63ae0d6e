"""Tests of the wheel, installed as a user installs it."""
