"""No page fails (status 500) on NULs, invalid UTF-8, long or huge values in paths, query strings, forms and cookies.

The tests cover every entry of the URL table, and belong to both databases: PostgreSQL refuses what SQLite accepts.
"""

import uuid
from urllib.parse import quote

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from assess.models import AttemptCount, Role, Seat, User
from assess.teaching import worksheets
from tests.assess.web.test_access import (  # noqa: F401 - some are fixtures
    ADDRESSES,
    CREATOR_PAGES,
    OF_EXERCISES,
    OF_SEATS,
    SHEET,
    SITE_OWNER_PAGES,
    a_role,
    address,
    built,
    ended_exercise,
    members,
    shared_site,
)

pytestmark = [pytest.mark.slow, pytest.mark.database]

NUL = "a\0b"
COMBINING = "a" + "\u0301\u0316" * 20_000  # Unicode normalisation takes seconds
NOT_UTF_8 = "\udcff\udced\udca0\udc80"  # the bytes ff ed a0 80
INVALID = (NOT_UTF_8, "9" * 50, "9" * 5_000, COMBINING)
IN_QUERIES = (NOT_UTF_8, "9" * 50)
IN_PATHS = ("%FF%ED%A0%80", "9" * 19, "9" * 5_000, "x" * 5_000, "%0A")
QUERY = (
    *("a", "against", "b", "besides", "chance", "full", "gold", "grade", "guidelines", "measure", "next", "older"),
    *("back", "end", "at"),
    *("page", "preview", "print", "q", "reference", "rel", "round", "source", "state", "step", "strategy", "task"),
    *("judge_a", "judge_b", "grade_a", "grade_b", "cannot_judge", "distance", "order"),
    *("at_least", "coefficient", "correction", "gold_1", "gold_2", "golds", "measures", "test", "without_judge"),
    "known",
    "without_system",
    "threshold",
    "copy",
    *("kind", "since", "until", "weights"),
    *("exclude", "giver", "judges", "pace", "policy", "takers", "topic", "topics", "set"),
)
MODEL_WORK = {
    "price_input": "1",
    "price_output": "2",
    "most_cost": "3",
    "most_tokens": "4000",
    "concurrency": "2",
    "per_second": "9",
    "seed": "1",
    "ask_failed_again": "on",
}
FIELDS = {
    "cancel_deletion": {},
    "research:create_adjudication": {
        "choice": "leverage",
        "task": "1",
        "number": "5",
        "measure": "AP",
        "gold": "majority",
        "distance": "1",
        "topic": "1",
        "adjudicators": "owner",
        "shows_grades": "on",
    },
    "research:undo_adjudication": {},
    "research:chosen_documents": {"task": "1"},
    "research:preview_guidelines": {"text": "# Guidelines"},
    "research:find_duplicates": {"whole": "on"},
    "research:accept_duplicates": {"threshold": "0.8"},
    "judge:search": {"query": "text"},
    "judge:open_result": {"x": "1"},
    "research:build_index": {"x": "1"},
    "research:permit_search": {"searchers": "assessor-1"},
    "research:norming": {"documents": "2", "topic": "1", "people": "assessor"},
    "research:move_norming": {"phase": "before"},
    "research:undo_norming": {},
    "create_collection": {
        "name": "Drinks",
        "slug": "drinks",
        "description": "Seven systems.",
        "assessor_description": "Which drinks are hot?",
        "start": "binary",
        "filled": "binary",
        "step": "",
        "grade-0-value": "0",
        "grade-0-name": "No",
        "grade-0-colour": "",
        "grade-0-meaning": "not hot",
        "grade-1-value": "1",
        "grade-1-name": "Yes",
    },
    "account:sign_in": {"username": "ada", "password": "x", "next": "/"},
    "account_login": {"username": "ada", "password": "x", "next": "/"},
    "account_reauthenticate": {"password": "x", "next": "/"},
    "mfa_authenticate": {"code": "123456"},
    "mfa_reauthenticate": {"code": "123456"},
    "mfa_activate_totp": {"code": "123456"},
    "mfa_deactivate_totp": {},
    "mfa_generate_recovery_codes": {},
    "account:email": {"email": "ada@example.org", "password": "x"},
    "account:end_session": {"session": "x"},
    "account:tokens": {"name": "laptop", "scope": "read", "days": "7", "collections": "x"},
    "account:revoke_token": {"token": "1"},
    "account:end_other_sessions": {},
    "account:password": {"old_password": "x", "new_password1": "another, longer", "new_password2": "another, longer"},
    "account:settings": {"theme": "dark", "text_size": "100", "highlights_on": "on", "keys_on": "on", "pace_on": "on"},
    "account:create_reset_link": {},
    "account:create_owner": {"username": "ada", "password1": "another, longer", "password2": "another, longer"},
    "join:code": {"code": "ABCDEF"},
    "join:nickname": {"nickname": "Bob"},
    "join:back": {"reentry_code": "abc"},
    "join:leave": {"x": "1"},
    "join:worksheet_answer": {"field": "", "text-": "1"},
    "join:worksheet_show": {"field": "", "text-": "1"},
    "judge:topic_feedback": {"difficulty": "3", "comment": "hard", "earlier": "on"},
    "judge:record": {
        "client_id": "",
        "member": "",
        "seen_version": "0",
        "back": "",
        "state": "judged",
        "relevance": "1",
        "reason": "",
        "comment": "",
        "confidence": "1",
        "passages": "[]",
        "passage_text": "x",
        "active_ms": "1",
        "away_ms": "1",
        "highlights": "true",
        "input": "key",
        "guidelines_version": "1",
    },
    "research:build_pool": {
        "strategy": "stratified",
        "strata": "3:1",
        "seed": "0",
        "depth": "3",
        "documents_per_topic": "9",
        "seconds": "30",
        "judges": "1",
    },
    "research:undo_pool": {"building": "1"},
    "research:group_runs": {"name": "dense", "system": "alpha"},
    "research:set_topics": {"name": "test", "query_ids": "1", "topic": "2"},
    "research:cancel_job": {},
    "research:import_paste": {"name": "a", "text": "1 0 a 1"},
    "research:import_path": {"path": "/a"},
    "research:import_data_set": {"data_set": "vaswani", "kinds": "topics"},
    "research:import_check": {
        "score_precision": "float64",
        "system_pattern": "{system}.run",
        "text_format": "text",
        "too_complex": "refuse",
        "keep_all": "on",
        "off_scale": "error",
        "duplicates": "error",
        "rounding": "",
        "decimals": "error",
        "negative": "error",
        "mapping": "1=2",
        "own_scale": "0,1",
        "judge_kind": "",
        "description": "x",
        "name_pattern": "{judge}.txt",
        "as_members": "1",
    },
    "research:import_start": {},
    "research:import_undo": {},
    "research:upload_create": {"name": "a", "size": "1"},
    "research:upload_chunk": {"x": "1"},
    "research:upload_finish": {"sha256": "0"},
    "research:archive": {},
    "research:living": {"system": "alpha", "depth": "5", "judges": "1", "remind": "on"},
    "research:conclusions": {"system": "alpha"},
    "research:changed_texts": {"action": "keep", "change": "1-00", "kept": "1"},
    "research:engines": {
        "name": "bm25",
        "kind": "solr",
        "address": "https://a.org/solr/b",
        "secret": "x",
        "body": '{"q": "{query}"}',
        "results": "a",
        "id": "id",
        "score": "b",
        "title": "c",
        "text": "d",
        "scores": "rank",
        "escape": "lucene",
        "chunk_separator": "#",
        "header": "Authorization",
    },
    "research:engine": {"system": "bm25", "depth": "10", "concurrency": "2", "per_second": "9", "with_texts": "on"},
    "research:engine_preview": {"query_id": "1"},
    "research:engine_delete": {},
    "research:engine_run_continue": {},
    "research:engine_run_repeat": {"system": "bm25"},
    "research:engine_run_discard": {},
    "research:new_model_judge": {
        "kind": "chat",
        "name": "gpt",
        "address": "https://models.example.org/v1",
        "model": "m",
        "prompt": "direct",
        "secret": "s",
        "temperature": "0.5",
        "token_limit": "max_tokens",
        "max_tokens": "50",
        "logprobs": "5",
        "reasoning_effort": "low",
        "extra": '{"a": 1}',
        "header": "Authorization",
        "examples": "1 a 1",
    },
    "research:model_judge": MODEL_WORK | {"sample": "5"},
    "research:try_model": MODEL_WORK,
    "research:continue_model_work": MODEL_WORK,
    "research:write_model_batch": MODEL_WORK,
    "research:read_model_batch": {},
    "research:model_secret": {"secret": "s"},
    "research:delete_model_judge": {},
    "research:confirm_model_host": {},
    "research:model_rules": {"keep_documents": "on", "show_early": "on"},
    "research:model_policy": {"judge": "gpt", "unsure_below": "0.5", "top": "1", "per_topic": "2", "judges": "1"},
    "research:end_model_policy": {},
    "research:prompts": {
        "name": "own",
        "form": "json",
        "criteria": "a, b",
        "scale_order": "descending",
        "system": "{scale}",
        "user": "{title} {document}",
        "preview": "1",
    },
    "site:hosts": {"host": "search.example.org"},
    "site:remove_host": {"host": "search.example.org"},
    "research:baselines": {"systems": "bm25", "fields_of_query": "title", "depth": "10"},
    "research:change_scale": {
        **dict(step="", **{"grade-0-value": "0", "grade-0-name": "No", "grade-0-colour": "", "grade-0-meaning": "x"}),
        "grade-1-value": "1",
        "grade-1-name": "Yes",
    },
    "research:change_suggestions": {"judge": "gpt"},
    "research:change_reference": {"reference": "union", "page": "shift", "query": "measure=AP"},
    "research:change_texts": {"name": "Drinks", "description": "Seven systems.", "assessor_description": "Hot?"},
    "research:restore": {},
    "site:deactivate": {},
    "site:reactivate": {},
    "site:end_sessions": {},
    "research:invite": {"role": "assessor", "uses": "2", "days": "3", "note": "lab", "pseudonym": "", "addresses": ""},
    "research:revoke_invitation": {},
    "research:change_role": {"role": "owner"},
    "research:allow_sighted": {"user": "1"},
    "research:draw_for_people": {"per_topic": "1", "seed": "1"},
    "research:change_judge": {"kind": "model", "model": "gpt", "prompt": "p", "graded_on": "2024-08-31"},
    "research:withdraw_judge": {"x": "1"},
    "research:restore_judge": {"x": "1"},
    "research:replace_member": {"successor": "assessor-1"},
    "research:remove_member": {"x": "1"},
    "research:rules": {"order": "fixed", "claim_minutes": "60", "repeat_share": "0", "min_visible_ms": "150"},
    "research:delete": {"confirmation": "drinks"},
    "research:publish": {"text": "Read it all."},
    "research:unassign": {},
    "research:reassign": {"giver": "1", "takers": "1"},
    "research:judging_state": {"state": "paused"},
    "research:assign": {
        "policy": "overlap",
        "judges": "1",
        "pace": "60",
        "topics": "1",
        "exclude": "x",
        "preview": "a",
    },
    "research:preview_assign": {"policy": "overlap", "judges": "1", "pace": "60", "topics": "1"},
    "research:claims": {"judges_per_task": "2", "claim_minutes": "30", "repeat_share": "0"},
    "research:sample": {"size": "3", "population": "pool", "topics": "", "seed": "1", "pace": "60", "judges": "1"},
    "research:open_grades": {"x": "1"},
    "research:remind": {"name": "assessor-1"},
    "research:pilot": {"documents": "1", "topics": "1", "people": "assessor-1"},
    "research:undo_pilot": {"x": "1"},
    "research:change_calibration": {"practice": "off", "practice_measure": "hits", "practice_threshold": "0.7"},
    "research:add_known_grades": {"use": "check", "text": "query_id,doc_id,relevance\n1,a,1"},
    "research:remove_known_grade": {"x": "1"},
    "research:admit": {"name": "assessor-1"},
    "judge:practice_judge": {"client_id": "", "member": "", "relevance": "1"},
    "research:create_release": {
        **dict.fromkeys(("topics", "topic_set", "measure", "rounding", "authors", "licence", "notes"), ""),
        "name": "main",
        "rule": "union",
        "rel": "1",
        "judges": "assessor-1",
    },
    "research:shift_scores": {
        "scores": "gold,system,query_id,measure,value\na,b,1,AP,0.5\n",
        **dict.fromkeys(("gold", "reference", "missing"), ""),
    },
    "research:adapt": {"strategy": "mtf", "rule": "majority", "rel": "1"},
    "teach:new": {
        "title": "Drinks",
        "query_ids": "1",
        "pasted_topics": "tea",
        "pasted_documents": "Tea.\n\nMilk.",
        "shared": "2",
        "more_each": "0",
        "minutes": "15",
        "scale": "binary",
        "worksheets": "kappa",
        "practice": "own",
        "practice_topic": "tea",
        "practice_text": "Tea.",
        "practice_grade": "1",
        "practice_explanation": "It is about tea.",
        "days": "30",
        "anyway": "on",
    },
    "teach:action": {"x": "1"},
    "teach:remove_seat": {"seat": "1"},
    "teach:erase": {"x": "1"},
    "teach:reveal": {"step": "1", "a": "1", "b": "2", "chance": "pooled", "rel": "1"},
    "join:practice": {"grade": "1"},
    "join:prediction": {"kappa": "0.5"},
}
CHANGES_EVERYTHING = {
    *("teach:erase", "join:leave", "account:sign_out", "account:settings_reset", "teach:action"),
    *("research:upload_remove", "research:leave"),
}


@pytest.fixture
def quiet_client():
    """A client that answers 500 as the server does, instead of raising the exception in the test."""
    return Client(raise_request_exception=False)


@pytest.fixture
def visitor(quiet_client, members, request):  # noqa: F811
    """A function that signs in a user who may open a page."""

    def visitor(name: str, parameters) -> Client:
        people, _ = members
        user = people[a_role(name)].user if "slug" in parameters else people[Role.OWNER].user
        if name in SITE_OWNER_PAGES:
            user, _ = User.objects.get_or_create(username="root", is_superuser=True)
        if (name, parameters) in OF_EXERCISES:
            instructor, student, _ = request.getfixturevalue("ended_exercise")
            user = student if (name, parameters) in OF_SEATS else instructor
        if name in CREATOR_PAGES:
            user = User.objects.create_superuser("root")
        quiet_client.force_login(user, backend="assess.people.backend.AccountBackend")
        return quiet_client

    return visitor


def hostile_paths(url: str, value: str) -> list[str]:
    """The URL with each of its parts replaced by a hostile one, except the fixed parts that select the view."""
    parts = url.split("/")
    return ["/".join([*parts[:n], value, *parts[n + 1 :]]) for n in range(1, len(parts)) if parts[n]]


def parameters_read(client: Client, url: str) -> list[str]:
    """The parameters that the page looks for if the query string is empty."""
    read = set()

    def recorded(method):
        def wrapper(values, key, *arguments):
            read.add(key)
            return method(values, key, *arguments)

        return wrapper

    with pytest.MonkeyPatch.context() as patch:
        for name in ("__getitem__", "__contains__", "get", "getlist"):
            patch.setattr(QueryDict, name, recorded(getattr(QueryDict, name)))
        client.get(url)
    return [parameter for parameter in QUERY if parameter in read]


def post(client: Client, url: str, fields: dict[str, str]):
    """Send a form as a browser does, with escapes instead of bytes that are not UTF-8."""
    body = "&".join(f"{escaped(name)}={escaped(value)}" for name, value in fields.items())
    return client.post(url, body, content_type="application/x-www-form-urlencoded")


def escaped(text: str) -> str:
    return quote(text.encode(errors="surrogateescape"))


@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_nul_in_a_path_is_not_found(visitor, address, name, parameters):  # noqa: F811
    url = address(name, parameters)
    client = visitor(name, parameters)
    for path in (f"{url}%00", f"{url.rstrip('/')}%00", *hostile_paths(url, "%00"), *hostile_paths(url, "a%00b")):
        assert client.get(path).status_code == 404, path
        assert client.post(path).status_code == 404, path


@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_invalid_parts_of_a_path_never_fail(visitor, address, name, parameters):  # noqa: F811
    url, client = address(name, parameters), visitor(name, parameters)
    for value in IN_PATHS:
        for path in hostile_paths(url, value):
            assert client.get(path).status_code < 500, path


@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_invalid_query_strings_never_fail(visitor, address, name, parameters):  # noqa: F811
    url, client = address(name, parameters), visitor(name, parameters)
    if client.get(url).status_code == 405:
        return
    for query in ("%00", "%00=1", "gold=a%00b", "q=%00&q=1"):
        assert client.get(f"{url}?{query}").status_code == 400, query
    for parameter in parameters_read(client, url):
        for value in IN_QUERIES:
            assert client.get(f"{url}?{parameter}={escaped(value)}").status_code < 500, (parameter, value[:20])


@pytest.mark.soak
@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_all_invalid_values_in_query_strings_never_fail(visitor, address, name, parameters):  # noqa: F811
    url, client = address(name, parameters), visitor(name, parameters)
    for value in IN_QUERIES:
        for parameter in QUERY:
            assert client.get(f"{url}?{parameter}={escaped(value)}").status_code < 500, (parameter, value[:20])


@pytest.mark.parametrize(("name", "parameters"), [entry for entry in ADDRESSES if entry[0] in FIELDS])
def test_invalid_form_fields_never_fail(visitor, address, members, name, parameters):  # noqa: F811
    url, client = address(name, parameters), visitor(name, parameters)
    valid = dict(FIELDS[name])
    if name in ("judge:record", "judge:practice_judge"):
        valid |= {"client_id": str(uuid.uuid4()), "member": str(members[0][Role.ASSESSOR].pk)}
    if name.startswith("join:worksheet"):
        field = worksheets.outline(SHEET).fields[0].name
        valid = {"field": field, f"text-{field}": "1"}
    for value in (NUL, *INVALID):
        for field in valid:
            assert post(client, url, {**valid, field: value}).status_code < 500, (field, value[:20])
            AttemptCount.objects.all().delete()  # wrong codes are counted
        assert post(client, url, {**valid, value: "1"}).status_code < 500, value[:20]


def test_parameters_that_a_page_reads_are_found(visitor, address):  # noqa: F811
    name, parameters = next(entry for entry in ADDRESSES if entry[0] == "research:documents")
    read = parameters_read(visitor(name, parameters), address(name, parameters))
    assert {"gold", "grade", "page"} <= set(read)
    assert len(read) < len(QUERY)


def test_nul_is_not_stored(client, ended_exercise):  # noqa: F811
    """SQLite would store it."""
    before = Seat.objects.count()
    response = client.post(reverse("join:nickname", args=[ended_exercise[-1]["code"]]), {"nickname": NUL})
    assert response.status_code == 400
    assert Seat.objects.count() == before


@pytest.mark.parametrize("cookie", ['sessionid="abcdefgh\\000"', 'assay_seats="\\000"', 'csrftoken="\\000"'])
def test_nul_in_a_cookie_is_a_bad_request(db, cookie):
    for url in (reverse("home"), reverse("account:sign_in"), reverse("join:code")):
        response = Client(raise_request_exception=False).get(url, headers={"cookie": cookie})
        assert response.status_code == 400


def test_every_page_that_accepts_a_form_is_tested(client, members, address, visitor):  # noqa: F811
    """A GET of a page that only reads answers 405 to a POST."""
    untested = {
        name
        for name, parameters in ADDRESSES
        if name not in {*FIELDS, *CHANGES_EVERYTHING}
        and visitor(name, parameters).post(address(name, parameters)).status_code != 405
    }
    assert untested == set()
