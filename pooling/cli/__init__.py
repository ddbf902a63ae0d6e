"""The command `python -m pooling`: one module for each action."""
