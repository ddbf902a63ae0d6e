#!/bin/sh
# Runs a command in the container. Files that it creates are readable by their owner only.
set -eu
umask 077
exec "$@"
