"""The command line of the library; `agreement.cli.main.main` runs it.

`parsers` has the options. Each subcommand is one file with a function of its name, which takes the parsed options and
returns the text to print.
"""
