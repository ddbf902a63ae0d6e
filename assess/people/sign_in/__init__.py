"""Signing in: the account of a name, the throttle of wrong passwords, and the entries of the audit log."""
