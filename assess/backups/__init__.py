"""Backups of the whole site, and restoring them.

An archive is a ZIP file (mode 0600) with these files:

    manifest.json      what the archive contains: see `assess.backups.manifest`
    database.sqlite3   SQLite: the database, copied with SQLite's backup interface
    database.dump      PostgreSQL: the output of `pg_dump -Fc`, if pg_dump is available
    tables.json        otherwise: the columns of each table and the values of the sequences
    tables/NAME.copy   and the rows of each table, in the text format of COPY
    runs/SHA256.parquet  the run files that the database refers to
    secret_key         the key that signs cookies and links
    erasures.jsonl     the list of erasures (`assess.people.erasure_list`), which may be empty

The manifest has the size and SHA-256 of every other file. Nothing else may be in the archive.
"""
