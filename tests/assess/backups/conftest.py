"""A site with a data directory of its own, and a collection that two assessors have judged."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from assess.backups.create import Backup, back_up
from assess.collections.members import add_member
from assess.models import Collection, Member, Role
from assess.pools.assign import assign
from tests.assess.claiming import judge, upcoming
from tests.factories import SMALL_RUNS, small_collection


@dataclass
class Site:
    data: Path
    collection: Collection
    ann: Member
    bob: Member

    def judge(self, member: Member, count: int = 1) -> None:
        for task in upcoming(member)[:count]:
            judge(member, task)

    def back_up(self, name: str = "backup.zip") -> Path:
        return Path(self.full_backup(name).address)

    def full_backup(self, name: str = "backup.zip") -> Backup:
        return back_up(self.data.parent / name)


@pytest.fixture
def site(settings, tmp_path, transactional_db, monkeypatch):
    monkeypatch.delenv("ASSAY_SECRET_KEY", raising=False)
    settings.DATA_DIR = tmp_path / "data"
    settings.RUNS_DIR = settings.DATA_DIR / "runs"
    settings.ERASURE_LIST = settings.DATA_DIR / "erasures.jsonl"
    settings.RUNS_DIR.mkdir(parents=True)
    collection = small_collection(SMALL_RUNS)
    add_member(collection, "olga", Role.OWNER)
    ann, bob = (add_member(collection, name, Role.ASSESSOR)[0] for name in ("ann", "bob"))
    assign(collection, judges=2)
    site = Site(settings.DATA_DIR, collection, ann, bob)
    site.judge(ann, 2)
    site.judge(bob, 1)
    return site
