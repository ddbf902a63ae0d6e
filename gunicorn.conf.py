"""What gunicorn reads by itself when it is started in this folder."""

# Seconds until an idle connection is closed. An assessor reads for longer than gunicorn's two between one judgement and
# the next; a connection that is opened anew costs the server CPU, and the assessor a round trip.
keepalive = 60
