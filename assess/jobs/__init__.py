"""Background jobs: domain functions that a worker runs, with progress and cancellation.

`queue.start` puts a job into the queue, in the transaction of the caller. A worker (`assay worker`) runs it with
`run.run`. While it runs, a thread writes its progress and its heartbeat. `recovery.recover` continues a job that has
been silent for a minute.
"""
