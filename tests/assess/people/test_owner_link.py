"""The one-time link that creates an owner: when it is needed, and when it is valid."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assess.errors import Refused
from assess.models import OwnerLink, Role, User
from assess.people.owner_link import check_link, create_link, has_owner, use_link

pytestmark = pytest.mark.django_db


def create_user() -> User:
    return User.objects.create_superuser("rita", password="right and long")


def test_new_site_has_no_owner(collection, join):
    assert not has_owner()
    join(collection, "rita", Role.RESEARCHER)
    assert not has_owner()


def test_active_superuser_is_an_owner():
    user = create_user()
    assert has_owner()
    user.is_active = False
    user.save()
    assert not has_owner()


def test_owner_of_a_collection_counts_if_they_can_sign_in(collection, join):
    user = join(collection, "rita", Role.OWNER).user
    assert has_owner()
    user.set_unusable_password()
    user.save()
    assert not has_owner()


def test_token_has_128_bits_and_is_stored_hashed():
    token = create_link()
    assert len(token) == 22  # 16 bytes in base64 without padding
    (link,) = OwnerLink.objects.all()
    assert len(link.token_hash) == 64
    assert token not in link.token_hash
    assert timedelta(hours=23, minutes=59) < link.expires_at - timezone.now() <= timedelta(hours=24)


def test_link_is_valid_once():
    token = create_link()
    check_link(token)
    assert use_link(token, create_user) == User.objects.get(username="rita")
    for again in (lambda: check_link(token), lambda: use_link(token, create_user)):
        with pytest.raises(Refused, match="already been used"):
            again()


def test_new_link_makes_earlier_ones_invalid():
    first, second = create_link(), create_link()
    with pytest.raises(Refused, match="not valid"):
        check_link(first)
    check_link(second)


def test_link_expires_after_a_day():
    token = create_link()
    OwnerLink.objects.update(expires_at=timezone.now())
    for use in (lambda: check_link(token), lambda: use_link(token, create_user)):
        with pytest.raises(Refused, match="expired"):
            use()
    assert not User.objects.exists()


@pytest.mark.parametrize("token", ["", "x", "ä" * 22])
def test_unknown_token_is_refused(token):
    create_link()
    with pytest.raises(Refused, match="not valid"):
        use_link(token, create_user)
    assert not User.objects.exists()


def test_link_stays_valid_if_the_account_is_not_created():
    token = create_link()

    def fail():
        raise RuntimeError

    with pytest.raises(RuntimeError):
        use_link(token, fail)
    check_link(token)
