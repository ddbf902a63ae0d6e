"""Every table and figure that can be downloaded is in the registry, and has an address."""

import re

from django.urls import URLPattern, get_resolver

from assess.access import READERS, RESEARCHERS
from assess.web.figures.registry import PAGES
from assess.web.figures.views import FIGURE_TYPES, download_figure, download_table

# Files that are no table or figure of a page: raw data, and what a release stores.
EXPORTS = {
    *(
        "missing",
        "engine_run_answers",
        "model_answers",
        "judgements_csv",
        "qrels",
        "diversity_qrels",
        "searches_csv",
        "import_problems",
        "audit_csv",
        "files",
        "chosen_documents",
    ),
    *("release_zip", "release_file"),
}


def patterns(resolver=None):
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from patterns(entry)


DOWNLOADS = [entry for entry in patterns() if entry.callback in (download_table, download_figure)]


def test_every_page_has_an_address_and_every_address_a_page():
    assert {entry.default_args["page"] for entry in DOWNLOADS} == set(PAGES)


def test_every_table_and_figure_has_an_address():
    reached = {"tables": set(), "figures": set()}
    for entry in DOWNLOADS:
        kind, name = ("tables", "table") if entry.callback is download_table else ("figures", "figure")
        page = entry.default_args["page"]
        known = getattr(PAGES[page], kind)
        named = [entry.default_args[name]] if name in entry.default_args else list(known)
        assert set(named) <= set(known), entry
        reached[kind] |= {(page, each) for each in named}
    for kind, found in reached.items():
        assert found == {(name, each) for name, page in PAGES.items() for each in getattr(page, kind)}


def test_no_other_view_of_a_collection_sends_a_table_or_a_figure():
    (research,) = (each for each in get_resolver().url_patterns if getattr(each, "namespace", "") == "research")
    files = {each for each in patterns(research) if re.search(r"\.(\w+|<str:\w+>)$|files/", str(each.pattern))}
    assert {each.name for each in files if each not in DOWNLOADS} == EXPORTS


def test_a_name_of_a_file_needs_only_the_ids_in_its_address():
    for entry in DOWNLOADS:
        page = PAGES[entry.default_args["page"]]
        parameters = set(entry.pattern.converters) - {"slug", "table", "figure", "file_type", "kind"}
        assert set(re.findall(r"\{(\w+)\}", page.file)) <= parameters | {"name"}


def test_only_researchers_download_unless_the_page_is_for_all_readers():
    assert {name for name, page in PAGES.items() if page.roles == READERS} == {
        "agreement",
        "every_pair",
        "pair",
        "shift",
    }
    assert all(page.roles in (READERS, RESEARCHERS) for page in PAGES.values())
    assert {table for page in PAGES.values() for table in page.for_researchers} == {"leverage"}


def test_kinds_of_figures_are_those_of_the_library():
    from agreement.plots.style import KINDS

    assert set(FIGURE_TYPES) == set(KINDS)
