"""What gunicorn reads by itself when it is started in this folder."""

# Seconds until an idle connection is closed. An assessor reads for longer than gunicorn's two between one judgement and
# the next; opening a connection anew costs the server as much as a fifth of a judgement, and the assessor a round trip.
keepalive = 60
