"""A command whose output is cut off, as by `| head`."""

import subprocess
import sys

import pytest

PROGRAM = """
import os

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "assess.settings"
django.setup()

from assess.management.base import AssessCommand


class Cut(AssessCommand):
    requires_system_checks = ()

    def handle(self, **options):
        raise BrokenPipeError(32, "Broken pipe")


Cut().execute(force_color=False, no_color=True)
"""


@pytest.mark.slow
def test_a_closed_pipe_is_not_reported():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
