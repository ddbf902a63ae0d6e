"""Every address of the researcher's pages, and every command, takes a set of topics, or the reason is named here."""

from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.urls import reverse

from assay.command_list import GROUPS, LIBRARY_COMMANDS
from assess.models import Role
from tests.assess.web.built_site import Site, build_site
from tests.assess.web.test_access import ADDRESSES, FILES, POST_ONLY
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.site

SETTINGS = "it shows settings, accounts or files, and no figures"
STATE = "it shows what the collection contains and who has which work, and starts or undoes work"
OF_ONE = "it shows one object, whose topics are given"
WITHOUT = {
    SETTINGS: {
        *("audit", "audit_csv", "judging", "settings", "delete", "people", "person", "leave", "original", "baselines"),
        *("imported_judge", "engines", "engine", "engine_run", "engine_run_answers"),
        *("asking", "new_model_judge", "model_judge", "model_answers", "prompts"),
        *("import", "import_data_sets", "import_preview", "import_problems", "upload"),
    },
    STATE: {
        *("find", "jobs", "overview_figures"),
        *("collection", "missing", "runs", "runs_csv", "pool", "assign", "work_people", "near_duplicates", "search"),
        *("searches_csv", "sample", "work_assessors_csv", "pool_topics_csv", "texts"),
        *("living", "changed_texts", "pool_pairs"),
        *("work_activity_csv", "work_activity_figure", "pool_depths_figure", "pool_overlap_figure"),
        *("pool_runs_csv", "pool_depths_csv"),
    },
    OF_ONE: {
        "job",
        "job_part",
        "stopping_topic",
        "stopping_curve",
        "stopping_figure",
        "stopping_systems",
        "release",
        "release_zip",
        "release_blindness",
        "release_file",
    },
    "it is where topics are put into sets, and shows the set of each": {"topics", "topics_csv"},
    "the agreement on a pilot is a round of the agreement page, which takes a set": {"pilot"},
    "the group of a norming round discusses all its documents": {"norming"},
    "the choice of the topics of a release is its field topic_set": {"releases"},
    "its scores are pasted, and their topics need not be those of the collection": {"shift_scores"},
}
REASONS = {name: reason for reason, names in WITHOUT.items() for name in names}
PAGES = {
    name.removeprefix("research:"): parameters
    for name, parameters in ADDRESSES
    if name.startswith("research:") and name not in POST_ONLY
}
COMMAND_GROUPS = ("Manage judging", "Analyse and export")
COMMANDS_WITHOUT = {
    "a file has no sets of topics": set(LIBRARY_COMMANDS),
    "it changes or begins work": {
        *("pilot", "assign", "unassign", "remind", "reassign", "set_judging", "set_guidelines", "adjudicate"),
        *("undo_adjudication", "norming", "import_known_grades", "permit_search", "adapt_order", "import_judgements"),
        *("sample", "find_duplicates", "accept_duplicates", "ask_model"),
    },
    "practice decides who is admitted, on all topics": {"calibration"},
    "it checks the ledger or a release, or writes them as they are": {
        *("replay_learner", "checkpoint", "verify_ledger", "export_release", "verify_release", "export_searches"),
        *("export_draw", "export_pool"),
    },
}


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    with shared_rows(build_site, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture
def built(shared_site, settings, db) -> Site:
    return shared_site.copy(settings)


def answer(client, built, name, **query):
    owner = built.people[Role.OWNER].user
    client.force_login(owner, backend="assess.people.backend.AccountBackend")
    values = built.values | {"kind": "svg", "task": built.values["task_pk"]} | FILES.get(name, {})
    return client.get(reverse(f"research:{name}", kwargs={key: values[key] for key in PAGES[name]}), query)


def test_every_page_without_a_set_exists_and_has_one_reason():
    assert REASONS.keys() <= PAGES.keys()
    assert sum(map(len, WITHOUT.values())) == len(REASONS)


@pytest.mark.parametrize("name", sorted(PAGES.keys() - REASONS.keys()))
def test_page_takes_a_set(client, built, name):
    """An unknown set is refused by name, so the page reads it, and a set without topics too."""
    refused = answer(client, built, name, set="TEST")
    content = refused.content.decode()
    assert (refused.status_code, "set must be one of development, test" in content) == (400, True), content[:500]
    assert "is in the test set yet." in answer(client, built, name, set="test").content.decode()


@pytest.mark.parametrize(
    "name", sorted({name for group in COMMAND_GROUPS for name in GROUPS[group]} | LIBRARY_COMMANDS.keys())
)
def test_command_has_the_option_or_a_reason(name):
    reasons = [reason for reason, names in COMMANDS_WITHOUT.items() if name in names]
    if name in LIBRARY_COMMANDS:
        assert reasons
        return
    parser = load_command_class("assess", name).create_parser("assay", name)
    has_option = any("--set" in action.option_strings for action in parser._actions)
    assert has_option != bool(reasons), f"{name}: {reasons or 'no reason'}"


def test_documentation_names_every_command_with_the_option():
    text = Path("docs/collections.md").read_text(encoding="utf-8")
    paragraph = next(part for part in text.split("\n\n") if "have the option `--set`" in part)
    for group in COMMAND_GROUPS:
        for name in GROUPS[group].keys() - set().union(*COMMANDS_WITHOUT.values()):
            assert f"`{name}`" in paragraph
