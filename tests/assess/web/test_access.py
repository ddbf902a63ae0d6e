"""Who may open which page. The tests cover every entry of the URL table, including entries added later."""

import re
import uuid

import pytest
from django.urls import URLPattern, get_resolver, reverse

from assess.models import ROLES_OF_PEOPLE, Job, Role, User
from assess.teaching import worksheets
from tests.assess.web.built_site import SHEET, Site, build_site
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.site

# The roles that may open the pages of one collection, by URL namespace.
ROLES_BY_NAMESPACE = {
    "judge": {Role.ASSESSOR},
    "research": {Role.OWNER, Role.RESEARCHER},
}
# Pages of the research namespace for owners only.
OWNER_PAGES = {
    *("audit", "audit_csv", "person", "change_role", "replace_member", "remove_member", "allow_sighted"),
    *("settings", "change_texts", "change_scale", "change_suggestions", "archive", "restore", "delete"),
    *("confirm_model_host", "model_rules", "model_policy", "end_model_policy"),
}
# Pages of the site for superusers only; all others get a 404.
SITE_OWNER_PAGES = {
    *("account:audit", "account:audit_csv", "account:create_reset_link"),
    *("site:hosts", "site:remove_host"),
    *("site:people", "site:person", "site:collections", "site:status"),
    *("site:deactivate", "site:reactivate", "site:end_sessions"),
}
# Pages of the site for people who may create collections; all others get a 403.
CREATOR_PAGES = {"create_collection"}
# Pages of a job without a collection, for the user who started it.
OWN_JOB_PAGES = {"deletion", "cancel_deletion"}
# Pages of the research namespace that instructors may open too.
INSTRUCTOR_PAGES = {
    *("agreement", "agreement_csv", "agreement_topics", "agreement_judges", "agreement_time", "agreement_table"),
    "agreement_golds",
    *("agreement_chart", "pair", "pair_table"),
    *("shift", "shift_csv", "shift_figure", "shift_golds", "shift_swaps", "swap", "shift_mixed", "shift_intervals"),
    *("shift_measures", "shift_differences", "shift_topics", "shift_table", "shift_chart"),
    *("leaderboard", "files"),
}
# A table or figure of each page whose URL names one.
FILES = {
    "agreement_table": {"table": "pairs"},
    "agreement_chart": {"figure": "pairs"},
    "pair_table": {"table": "topics"},
    "shift_table": {"table": "ranges"},
    "shift_chart": {"figure": "slope"},
    "files": {"page": "shift"},
    "document_file": {"table": "judgements"},
    "calibration_file": {"table": "practice"},
    "search_report_csv": {"table": "searchers"},
    "trust_table": {"table": "judges"},
    "trust_figure": {"figure": "grades"},
}
PAGES_OF_ALL_ROLES = {"leave"}  # in the research namespace
OPEN_TO_EVERYBODY = {"account:sign_in", "account_login", "account_inactive", "join:code", "join:nickname", "join:back"}
API_PAGE = "api:reference"  # tests/assess/api/test_api_access.py walks over the API
OPEN_TO_ANY_USER = {
    API_PAGE,
    "account:tokens",
    "account:revoke_token",
    "home",
    "teach:home",
    "teach:new",  # for every reader of a collection
    "account:sign_out",
    "account:password",
    "account:settings",
    "account:settings_reset",
    "account:email",
    "account:sessions",
    "account:end_session",
    "account:end_other_sessions",
    "account_reauthenticate",
    "mfa_authenticate",  # for visitors whose password was right
    "mfa_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "signed_in",
}
# Open to everybody who has a one-time link; test_owner_page.py and test_passwords.py test what they show.
BY_LINK = {"account:owner_link", "account:create_owner", "account:reset_link", "account:reset_password"}
# Pages of sites with a mail server or an OpenID provider; test_reset_by_mail.py and test_openid.py test them.
WITH_SERVER = {
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "openid_connect_login",
    "openid_connect_callback",
    "socialaccount_connections",
    "socialaccount_login_cancelled",
}
# Open to everybody who has an invitation; tests/assess/web/test_invitation_pages.py tests what they show.
BY_INVITATION = {f"invitation:{page}" for page in ("current", "accept", "create_account", "sign_in", "open")}
POST_ONLY = {
    *(
        "research:rules",
        "research:publish",
        "research:preview_guidelines",
        "research:reassign",
        "research:adapt",
        "research:unassign",
    ),
    *("research:build_pool", "research:undo_pool", "research:cancel_job"),
    *("research:set_topics", "research:group_runs"),
    *("research:import_paste", "research:import_path", "research:import_check", "research:import_start"),
    "research:import_data_set",
    *("research:import_undo", "research:upload_create", "research:upload_chunk", "research:upload_finish"),
    "research:upload_remove",
    *("research:change_texts", "research:change_scale", "research:archive", "research:restore"),
    "research:change_reference",
    "research:change_suggestions",
    "cancel_deletion",
    *("research:invite", "research:revoke_invitation", "research:allow_sighted"),
    *("research:change_role", "research:replace_member", "research:remove_member"),
    "research:draw_for_people",
    *("research:change_judge", "research:withdraw_judge", "research:restore_judge"),
    "research:conclusions",
    *("research:engine_preview", "research:engine_delete", "research:engine_run_continue"),
    *("research:engine_run_repeat", "research:engine_run_discard", "site:remove_host"),
    *("research:model_rules", "research:model_policy", "research:end_model_policy", "research:confirm_model_host"),
    *("research:try_model", "research:continue_model_work", "research:model_secret", "research:delete_model_judge"),
    *("research:write_model_batch", "research:read_model_batch"),
    *("site:deactivate", "site:reactivate", "site:end_sessions"),
    *("research:judging_state", "research:claims", "research:remind", "research:undo_pilot"),
    "research:preview_assign",
    *("research:change_calibration", "research:add_known_grades", "research:remove_known_grade", "research:admit"),
    "judge:practice_judge",
    *("research:create_adjudication", "research:undo_adjudication", "research:move_norming", "research:undo_norming"),
    *("research:find_duplicates", "research:accept_duplicates"),
    "research:create_release",
    "research:chosen_documents",
    "research:open_grades",
    *("judge:open_result", "research:build_index", "research:permit_search"),
    "judge:record",
    "judge:topic_feedback",
    "account:sign_out",
    "account:settings_reset",
    "account:create_reset_link",
    "account:end_session",
    "account:end_other_sessions",
    "account:revoke_token",
    "teach:action",
    *("join:worksheet_answer", "join:worksheet_show", "join:practice", "join:prediction"),
}
# A student may use these, but they need fields and another phase than the ended one of these tests.
REFUSED_AFTER_THE_END = {"join:practice", "join:prediction"}
# Pages about the uploads and checks of one user, which are missing for everybody else. Here they are the owner's.
OF_ONE_USER = {
    *("research:upload", "research:upload_chunk", "research:upload_finish", "research:upload_remove"),
    *("research:import_preview", "research:import_problems", "research:import_start"),
}
# The owner comes first and deletes the object.
DELETING = {"research:engine_delete", "research:engine_run_discard", "research:delete_model_judge"}
OPEN_WITH_CODE = {"join:nickname", "join:back"}  # open to everybody who has the code of an exercise


def walk(resolver, namespace="", arguments=()):
    """Yield (name, arguments) of every URL pattern below a resolver."""
    for entry in resolver.url_patterns:
        parameters = (*arguments, *entry.pattern.converters)
        if isinstance(entry, URLPattern):
            yield f"{namespace}{entry.name}", parameters
        else:
            yield from walk(entry, f"{namespace}{entry.namespace}:" if entry.namespace else namespace, parameters)


OF_PAGES = [entry for entry in walk(get_resolver()) if entry[0] == API_PAGE or not entry[0].startswith("api:")]
ADDRESSES = sorted(entry for entry in OF_PAGES if entry[0] not in BY_LINK | BY_INVITATION | WITH_SERVER)
OF_COLLECTIONS = [entry for entry in ADDRESSES if "slug" in entry[1]]
# Pages of one exercise, for its instructor and its students.
OF_EXERCISES = [
    (name, parameters) for name, parameters in ADDRESSES if "code" in parameters and name not in OPEN_TO_EVERYBODY
]
OF_INSTRUCTORS = [entry for entry in OF_EXERCISES if entry[0].startswith("teach:")]
OF_SEATS = [entry for entry in OF_EXERCISES if entry[0].startswith("join:")]


def allowed_roles(name: str) -> set[Role]:
    namespace, page = name.split(":")
    if namespace == "research" and page in OWNER_PAGES:
        return {Role.OWNER}
    if namespace == "research" and page in PAGES_OF_ALL_ROLES:
        return set(ROLES_OF_PEOPLE)
    return ROLES_BY_NAMESPACE[namespace] | ({Role.INSTRUCTOR} if page in INSTRUCTOR_PAGES else set())


def a_role(name: str) -> Role:
    """A role that may open the page; the owner if possible, who has the uploads of these tests."""
    roles = allowed_roles(name)
    return Role.OWNER if Role.OWNER in roles else next(iter(roles))


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    with shared_rows(build_site, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture
def built(shared_site, settings, db) -> Site:
    return shared_site.copy(settings)


@pytest.fixture
def members(built):
    return built.people, built.outsider


@pytest.fixture
def ended_exercise(built):
    return built.exercise


@pytest.fixture
def address(built):
    """A function that returns the address of a page, with existing objects as parameters."""

    def address(name, parameters, **others):
        values = built.values | ({} if "code" in parameters else {"kind": "svg"})
        if name.startswith("research:"):
            values |= {"task": values["task_pk"]} | FILES.get(name.partition(":")[2], {})
        return reverse(name, kwargs={key: (values | others)[key] for key in parameters})

    return address


def send(client, name, url, user: User | None):
    """Return the response to a user, which no cache may store."""
    if user:
        client.force_login(user, backend="assess.people.backend.AccountBackend")
    member = user.memberships.first() if user else None
    data = {"client_id": str(uuid.uuid4()), "relevance": "1", "member": member.pk if member else 0}
    if "worksheet" in name:
        data["field"] = worksheets.outline(SHEET).fields[0].name
    response = client.post(url, data) if name in POST_ONLY else client.get(url)
    assert_private(response)
    return response


def assert_private(response):
    directives = {part.strip() for part in response["Cache-Control"].split(",")}
    assert {"no-store", "private"} <= directives, response.status_code
    assert "public" not in directives


def test_all_namespaces_are_covered():
    known = OPEN_TO_EVERYBODY | OPEN_TO_ANY_USER | SITE_OWNER_PAGES | CREATOR_PAGES | OWN_JOB_PAGES
    assert {name.split(":")[0] for name, _ in OF_EXERCISES} == {"teach", "join"}
    assert {name for name, parameters in ADDRESSES if not {"slug", "code"} & set(parameters)} == known - OPEN_WITH_CODE
    assert {name.split(":")[0] for name, _ in OF_COLLECTIONS} == set(ROLES_BY_NAMESPACE)


@pytest.mark.parametrize(("name", "parameters"), OF_COLLECTIONS)
def test_each_role_may_open_only_its_pages(client, members, address, name, parameters):
    people, outsider = members
    for role, member in people.items():
        status = send(client, name, address(name, parameters), member.user).status_code
        if role in allowed_roles(name) and name in OF_ONE_USER | DELETING and role != Role.OWNER:
            assert status == 404, (role, status)
        elif role in allowed_roles(name):
            assert status in (200, 302, 400), (role, status)  # 400: allowed, but there are no judgements yet
        else:
            assert status == 403, (role, status)
    assert send(client, name, address(name, parameters), outsider).status_code == 404


@pytest.mark.parametrize(("name", "parameters"), OF_COLLECTIONS)
def test_missing_and_foreign_collections_give_the_same_response(client, members, address, name, parameters):
    people, outsider = members
    foreign = send(client, name, address(name, parameters), outsider)
    missing = send(client, name, address(name, parameters, slug="no-such-collection"), outsider)
    assert foreign.status_code == missing.status_code == 404
    assert body(foreign) == body(missing)
    for member in people.values():
        assert send(client, name, address(name, parameters, slug="no-such-collection"), member.user).status_code == 404


@pytest.mark.parametrize(("name", "parameters"), OF_INSTRUCTORS)
def test_only_the_instructor_may_open_an_exercise(client, members, ended_exercise, address, name, parameters):
    people, outsider = members
    instructor, student, _ = ended_exercise
    assert send(client, name, address(name, parameters), instructor).status_code in (200, 302)
    for user in (*(member.user for member in people.values()), outsider, student):
        foreign = send(client, name, address(name, parameters), user)
        missing = send(client, name, address(name, parameters, code="AAAAAA"), user)
        assert foreign.status_code == missing.status_code == 404
        assert body(foreign) == body(missing)


@pytest.mark.parametrize(("name", "parameters"), OF_SEATS)
def test_only_the_student_may_open_a_seat(client, members, ended_exercise, address, name, parameters):
    people, outsider = members
    instructor, student, _ = ended_exercise
    allowed = (400,) if name in REFUSED_AFTER_THE_END else (200, 302)
    assert send(client, name, address(name, parameters), student).status_code in allowed
    for user in (*(member.user for member in people.values()), outsider, instructor):
        foreign = send(client, name, address(name, parameters), user)
        missing = send(client, name, address(name, parameters, code="AAAAAA"), user)
        assert foreign.status_code == missing.status_code == 404
        assert body(foreign) == body(missing)


def body(response) -> str:
    """Return a page without its CSRF token, which differs in every response."""
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", response.content.decode())


@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_pages_require_signing_in(client, members, address, name, parameters):
    response = send(client, name, address(name, parameters), None)
    if name in OPEN_TO_EVERYBODY:
        assert response.status_code == 200
    else:
        assert response.status_code == 302
        # A student has no password, and signs in with the code of the exercise.
        is_seat = (name, parameters) in OF_SEATS
        sign_in = address("join:nickname", ["code"]) if is_seat else reverse("account:sign_in")
        assert response.url.startswith(sign_in)


OF_SITE_OWNERS = [entry for entry in ADDRESSES if entry[0] in SITE_OWNER_PAGES]


@pytest.mark.parametrize(("name", "parameters"), OF_SITE_OWNERS)
def test_only_site_owners_may_open_their_pages(client, members, address, django_user_model, name, parameters):
    people, outsider = members
    url = address(name, parameters)
    for user in (*(member.user for member in people.values()), outsider):
        assert send(client, name, url, user).status_code == 404
    site_owner = django_user_model.objects.create_superuser("root")
    # 400: allowed, but the account is deactivated already. 200: a link is shown.
    assert send(client, name, url, site_owner).status_code in ((200, 302, 400) if name in POST_ONLY else (200,))
    if parameters:
        assert send(client, name, address(name, parameters, user_id=10**9), site_owner).status_code == 404


@pytest.mark.parametrize("name", sorted(CREATOR_PAGES))
def test_only_people_who_may_create_collections_open_their_pages(client, members, django_user_model, name):
    people, outsider = members
    for user in (*(member.user for member in people.values()), outsider):
        assert send(client, name, reverse(name), user).status_code == 403
        assert client.post(reverse(name), {"name": "New", "start": "binary"}).status_code == 403
    site_owner = django_user_model.objects.create_superuser("root")
    assert send(client, name, reverse(name), site_owner).status_code == 200


@pytest.mark.parametrize("name", sorted(OWN_JOB_PAGES))
def test_only_the_user_who_started_a_job_opens_its_pages(client, members, name):
    people, outsider = members
    user = people[Role.OWNER].user
    job, other = (Job.objects.create(kind=kind, user=user) for kind in ("delete_collection", "build_pool"))
    assert send(client, name, reverse(name, args=[job.public_id]), user).status_code in (200, 302)
    assert send(client, name, reverse(name, args=[other.public_id]), user).status_code == 404
    for each in (*(member.user for role, member in people.items() if role != Role.OWNER), outsider):
        assert send(client, name, reverse(name, args=[job.public_id]), each).status_code == 404


@pytest.mark.parametrize(("name", "parameters"), ADDRESSES)
def test_wrong_method_is_refused(client, members, address, request, name, parameters):
    people, _ = members
    user = people[a_role(name)].user if "slug" in parameters else people[Role.OWNER].user
    if (name, parameters) in OF_EXERCISES:
        instructor, student, _ = request.getfixturevalue("ended_exercise")
        user = student if (name, parameters) in OF_SEATS else instructor
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    wrong_method = client.get if name in POST_ONLY else client.delete
    response = wrong_method(address(name, parameters))
    assert response.status_code == 405
    assert_private(response)


@pytest.mark.parametrize(
    ("name", "parameters"), [entry for entry in OF_COLLECTIONS if set(entry[1]) - {"slug", "kind"}]
)
def test_unknown_ids_are_not_found(client, members, address, name, parameters):
    people, _ = members
    unknown = {
        "topic_id": 10**9,
        "task": 10**9 if name.startswith("research:") else uuid.uuid4(),
        "a": 10**9,
        "b": 10**9,
        "page": "nothing",
        "file_id": 10**9,
        "job_id": uuid.uuid4(),
        "upload_id": uuid.uuid4(),
        "check_id": uuid.uuid4(),
        "record_id": 10**9,
        "member_id": 10**9,
        "judge_id": 10**9,
        "invitation_id": 10**9,
        "release_id": 10**9,
        "number": 10**9,
        "practice": uuid.uuid4(),
        "known": 10**9,
        "search_id": uuid.uuid4(),
        "rank": 1,
        "engine_id": 10**9,
        "model_id": 10**9,
        "run_id": uuid.uuid4(),
        "table": "unknown",
        "figure": "unknown",
        "file_type": "exe",
    }
    member = people[a_role(name)]
    assert send(client, name, address(name, parameters, **unknown), member.user).status_code == 404
