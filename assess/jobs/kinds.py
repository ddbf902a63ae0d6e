"""The kinds of jobs. Each is a domain function with the collection and the job's input as arguments.

The functions are in higher layers, so they are named here and imported when a job runs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string


@dataclass(frozen=True)
class Kind:
    """`label` is what the pages show. `path` leads to the function, which returns a dataclass."""

    label: str
    path: str

    def function(self) -> Callable[..., Any]:
        function: Callable[..., Any] = import_string(self.path)
        return function


KINDS = {
    "build_pool": Kind("Build the pool", "assess.pools.building.build.build_pool"),
    "preview_pool": Kind("Preview the pool", "assess.pools.building.preview.preview_pool"),
    "assign": Kind("Assign the tasks", "assess.pools.assign.assign"),
}
