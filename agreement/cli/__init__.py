"""The command line of the library; `agreement.cli.main.main` runs it.

Each subcommand is one file with two functions: `add(commands)` adds its parser, and a function with the name of the
subcommand takes the parsed options and returns the text to print.
"""
