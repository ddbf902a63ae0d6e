"""The network of an address, as the throttle of codes counts it."""

import pytest

from assess.lib.client_ip import network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unknown", "unknown"),
        ("x" * 100_000, "x" * 45),
    ],
)
def test_network_of_an_address(address, network):
    assert network_of(address) == network
