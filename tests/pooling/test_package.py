"""The package's front door."""

import subprocess
import sys

import pytest

import pooling


@pytest.mark.parametrize("name", pooling.__all__)
def test_every_public_name_is_there(name):
    assert getattr(pooling, name) is not None
    assert name in dir(pooling)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'pooling' has no attribute 'pools_of'"):
        _ = pooling.pools_of


def test_importing_the_package_and_assigning_does_not_load_pandas():
    program = "import sys, pooling; pooling.assign([0], 1, 1, seed=0); sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
