"""Settings of gunicorn. It reads this file if it is started in this directory. Options of the command line win.

Each connection occupies a thread while its headers and its body arrive, so a few slow clients would occupy all threads.
Run gunicorn only behind a proxy that buffers whole requests and limits their size (docs/serving.md). The limits below
apply to what the proxy lets through.
"""

from assess.gunicorn_hooks import child_exit, on_exit, on_starting  # noqa: F401 - gunicorn calls them

workers, threads = 2, 4

# Seconds until an idle connection is closed. Assessors read for longer than gunicorn's default of two seconds, and
# opening a new connection for each judgement costs CPU time on the server and a round trip in the browser.
keepalive = 60

# Without it, anybody with the account of the site could change a running server through a socket in its home directory.
control_socket_disable = True

# Files that the site creates are private: run files and the database contain unpublished data.
umask = 0o077

limit_request_line = 4094  # the longest address names the 60 documents that the judging page knows: 3 kB
limit_request_fields = 60
limit_request_field_size = 8190


def post_worker_init(_worker: object) -> None:
    """Load the libraries of figures before a worker answers."""
    from assess.management.preload import preload

    preload()
