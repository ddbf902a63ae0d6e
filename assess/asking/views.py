"""The pages of model judges that the site asks: the list with the rules, and one judge with what it was asked for."""

import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from assess.access import OWNERS, RESEARCHERS, member_view
from assess.asking import state
from assess.asking.ask import go_on, start_work
from assess.asking.batch import answers_path, read_batches, write_batches
from assess.asking.check_views import check_part
from assess.asking.forms import JudgeForm, PolicyForm, WorkForm
from assess.asking.judges import change_secret, delete_judge, save_judge
from assess.asking.policy import decide_policy, describe_policy, end_policy, policy_of
from assess.asking.prompts import chosen_prompt, newest_prompts, starting_names
from assess.asking.rules import change_rules, confirm_host, rules_of
from assess.asking.trial import start_trial
from assess.audit import record_export
from assess.errors import Refused
from assess.models import AllowedHost, Collection, JobState, JudgeKind, Member, ModelJudge, Role
from assess.suggestions.choice import suggesting_name
from assess.web.requests import SignedInRequest, refusals_shown_by
from assess.web.research.job_panel import job_panel, to_panel
from pooling.words import count

RULES = ("keep_documents", "show_early")


def _asking_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _asking_page(request, member, refusal)


@require_safe
@member_view(RESEARCHERS)
def asking(request: HttpRequest, member: Member) -> HttpResponse:
    """The model judges of the collection, the rules on models, and the policy."""
    return _asking_page(request, member)


def _asking_page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    holds = policy_of(collection)
    page = {
        "collection": collection,
        "member": member,
        "here": "model_judges",
        **job_panel(member, "ask_model"),
        "judges": state.states_of(collection),
        "rules": rules_of(collection),
        "suggesting": suggesting_name(collection),
        "hosts": collection.confirmed_hosts.select_related("confirmed_by"),
        "policy": describe_policy(holds) if holds else "",
        "policy_form": PolicyForm(request.POST if "judges" in request.POST else None, _models(collection)),
        "is_owner": member.role == Role.OWNER,
        "refusal": refusal,
    }
    return render(request, "research/asking/asking.html", page, status=400 if refusal else 200)


def _models(collection: Collection) -> list[str]:
    models = collection.members.filter(role=Role.ASSESSOR, imported_judge__kind=JudgeKind.MODEL)
    return list(models.values_list("name", flat=True))


def _new_refused(request: HttpRequest, member: Member, refusal: Refused) -> HttpResponse:
    return _new_page(request, member, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_new_refused)
def new(request: SignedInRequest, member: Member) -> HttpResponse:
    """The form of a new judge. A POST saves it, or changes the one with its name that has no judgements."""
    if request.method != "POST":
        return _new_page(request, member)
    collection = member.collection
    form = JudgeForm(request.POST, _prompt_names(collection))
    settings, values = form.settings(), form.cleaned()
    is_chat = values["kind"] == ModelJudge.Kind.CHAT
    saved = save_judge(
        collection,
        values["name"],
        values["kind"],
        settings,
        chosen_prompt(collection, values["prompt"] or "direct", request.user) if is_chat else None,
        secret=values["secret"] or None,
        examples=form.given_examples() if is_chat else (),
        actor=request.user,
    )
    return redirect("research:model_judge", collection.slug, saved.pk)


def _new_page(request: HttpRequest, member: Member, refusal: Refused | None = None) -> HttpResponse:
    collection = member.collection
    given = request.POST if request.method == "POST" else None
    page = {
        "collection": collection,
        "member": member,
        "here": "model_judges",
        "form": JudgeForm(given, _prompt_names(collection), initial=_copied(request, collection)),
        "hosts": AllowedHost.objects.all(),
        "refusal": refusal,
    }
    return render(request, "research/asking/new.html", page, status=400 if refusal else 200)


def _prompt_names(collection: Collection) -> list[str]:
    own = newest_prompts(collection).values_list("name", flat=True)
    return list(dict.fromkeys(["direct", *own, *starting_names()]))


def _copied(request: HttpRequest, collection: Collection) -> dict[str, Any]:
    """Return the settings of the judge that a new one begins with; nothing of its secret."""
    key = request.GET.get("copy", "")
    row = (
        collection.model_judges.select_related("prompt").filter(pk=key).first()
        if key.isascii() and key.isdigit()
        else None
    )
    if row is None:
        return {"kind": ModelJudge.Kind.CHAT}
    return {**row.settings, "kind": row.kind, "prompt": row.prompt.name if row.prompt else ""}


def _judge_refused(request: HttpRequest, member: Member, model_id: int, refusal: Refused) -> HttpResponse:
    return _judge_page(request, member, model_id, refusal)


@require_http_methods(["GET", "HEAD", "POST"])
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def judge(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """One judge: its trial, its orders, and its answers without a grade. A POST asks for the grades of the pool."""
    if request.method != "POST":
        return _judge_page(request, member, model_id)
    start_work(_judge(member, model_id), WorkForm(request.POST).options(), request.user)
    return to_panel("model_judge", member, model_id)


def _judge_page(request: HttpRequest, member: Member, model_id: int, refusal: Refused | None = None) -> HttpResponse:
    shown, collection = _judge(member, model_id), member.collection
    tried = collection.jobs.filter(kind="try_model", state=JobState.DONE, input__judge=shown.pk).first()
    orders, left = state.orders_of(shown), state.unanswered(shown)
    given = request.POST if refusal and "concurrency" in request.POST else None
    page = {
        "collection": collection,
        "member": member,
        "here": "model_judges",
        **job_panel(member, "try_model", "ask_model", of=state.jobs_of(shown)),
        "judge": shown,
        "sending": state.sending(shown),
        "trial": tried.result if tried else None,
        "orders": orders,
        "open_work": next((each for each in orders if not each["work"].finished_at), None),
        "left": left,
        "is_done": shown.member is not None and not left,
        "reasons": state.reasons_of(shown),
        "without_grade": state.answers_without_grade(shown),
        "suspicious": state.suspicious_answers(shown),
        "warnings": state.warnings_of(shown),
        "is_asked": state.is_asked(shown),
        **check_part(shown),
        "form": WorkForm(given, auto_id="work_%s", initial=state.last_options(shown)),
        "is_owner": member.role == Role.OWNER,
        "refusal": refusal,
    }
    return render(request, "research/asking/judge.html", page, status=400 if refusal else 200)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_judge_refused)
def confirm(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Allow documents of the collection to be sent to the host of the judge."""
    confirmed = confirm_host(_judge(member, model_id), request.user)
    messages.success(request, f"Documents of {member.collection.name} may be sent to {confirmed.host}.")
    return redirect("research:model_judge", member.collection.slug, model_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def try_first(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Start a job that asks for three documents."""
    start_trial(_judge(member, model_id), WorkForm(request.POST).options(), request.user)
    return to_panel("model_judge", member, model_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def continue_work(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Continue the order that is not complete, with the pace, prices and budget of the form."""
    work = _judge(member, model_id).work.select_related("judge__collection").filter(finished_at=None).first()
    if work is None:
        raise Refused("Nothing is left to ask for.")
    options = vars(WorkForm(request.POST).options())
    go_on(work, request.user, **{name: options[name] for name in WorkForm.base_fields if name in options})
    return to_panel("model_judge", member, model_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def secret(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Replace the secret of a judge."""
    change_secret(_judge(member, model_id), request.POST.get("secret", ""), request.user)
    messages.success(request, "The secret is replaced.")
    return redirect("research:model_judge", member.collection.slug, model_id)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def delete(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Delete a judge that has no judgements."""
    shown = _judge(member, model_id)
    delete_judge(shown, request.user)
    messages.success(request, f"Deleted the model judge {shown.name}.")
    return redirect("research:asking", member.collection.slug)


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def write_batch(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Send batch files with the requests of all pairs without an answer, as a ZIP."""
    shown = _judge(member, model_id)
    with TemporaryDirectory(prefix="assay-batch-") as folder:
        _, paths = write_batches(shown, WorkForm(request.POST).options(), Path(folder), request.user)
        content = BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in paths:
                archive.write(path, path.name)
    content.seek(0)
    return FileResponse(content, as_attachment=True, filename="batch.zip", content_type="application/zip")  # type: ignore[return-value]


@require_POST
@member_view(RESEARCHERS)
@refusals_shown_by(_judge_refused)
def read_batch(request: SignedInRequest, member: Member, model_id: int) -> HttpResponse:
    """Save the answers of a batch file."""
    file = request.FILES.get("file")
    if file is None:
        raise Refused("Choose the file with the answers.")
    with answers_path(file) as path:
        result = read_batches(_judge(member, model_id), [path], request.user)
    messages.success(request, result.sentence())
    return redirect("research:model_judge", member.collection.slug, model_id)


@require_safe
@member_view(RESEARCHERS)
def answers(request: SignedInRequest, member: Member, model_id: int) -> HttpResponseBase:
    """All answers as compressed lines of JSON, with the raw answers."""
    shown = _judge(member, model_id)
    record_export(member.collection, "answers of a model", request.user)
    return FileResponse(state.answers_file(shown), as_attachment=True, filename="answers.jsonl.gz")


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_asking_refused)
def rules(request: SignedInRequest, member: Member) -> HttpResponse:
    """Change the rules on models."""
    change_rules(member.collection, request.user, **{name: bool(request.POST.get(name)) for name in RULES})
    messages.success(request, "The rules on models are saved.")
    return redirect("research:asking", member.collection.slug)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_asking_refused)
def policy(request: SignedInRequest, member: Member) -> HttpResponse:
    """Let people judge only what the policy gives them, and count the grades of the model elsewhere."""
    rule = PolicyForm(request.POST, _models(member.collection)).rule()
    decided, result = decide_policy(member.collection, rule, request.user)
    messages.success(request, f"{describe_policy(decided)} Added {count(result.added, 'assignment')}.")
    return _to_policy(member)


@require_POST
@member_view(OWNERS)
@refusals_shown_by(_asking_refused)
def end(request: SignedInRequest, member: Member) -> HttpResponse:
    """End the policy."""
    end_policy(member.collection, request.user)
    messages.success(request, "The policy has ended. No grade of a model counts.")
    return _to_policy(member)


def _to_policy(member: Member) -> HttpResponse:
    return redirect(f"{reverse('research:asking', args=[member.collection.slug])}#policy")


def _judge(member: Member, model_id: int) -> ModelJudge:
    judges = member.collection.model_judges.select_related("collection", "prompt", "member")
    found: ModelJudge = get_object_or_404(judges, pk=model_id)
    return found
