"""Files that users upload to import them: receiving, recognising, checking and importing them.

`receive` stores chunks, `server_path` refers to a file on the server, `recognised` says what a file is, `check` reads
all files without saving anything, and `importing` imports them as background jobs, one for each kind of file.
"""
