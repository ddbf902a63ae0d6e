"""Settings of gunicorn. It reads this file if it is started in this directory."""

# Seconds until an idle connection is closed. Assessors read for longer than gunicorn's default of two seconds, and
# opening a new connection for each judgement costs CPU time on the server and a round trip in the browser.
keepalive = 60
