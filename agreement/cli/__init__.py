"""The subcommands of `python -m agreement`, one file each.

Each file has `add(commands)`, which adds its parser, and a function that takes the options and returns what to print.
"""
