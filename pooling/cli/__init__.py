"""What `python -m pooling` does, one deed a file."""
