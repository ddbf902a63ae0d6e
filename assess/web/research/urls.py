"""The pages of researchers, below `c/<slug>/`. `tests/assess/web/test_access.py` requests every URL."""

from django.urls import include, path

from assess.adjudication.urls import urlpatterns as adjudication
from assess.asking.urls import urlpatterns as asking
from assess.baselines import views as baselines_views
from assess.calibration.urls import research as calibration
from assess.engines.urls import urlpatterns as engines
from assess.living.urls import texts as living_texts
from assess.living.urls import urlpatterns as living
from assess.marginal.urls import urlpatterns as marginal
from assess.model_judges.urls import urlpatterns as model_judges
from assess.near_duplicates.urls import urlpatterns as near_duplicates
from assess.norming.urls import research as norming
from assess.search.urls import research as search
from assess.web.figures.registry import PAGES
from assess.web.figures.views import download_figure, download_table, download_zip
from assess.web.frame import views as frame_views
from assess.web.research import (
    audit_views,
    imported_views,
    job_panel,
    job_views,
    judging_views,
    overview_views,
    release_views,
    runs_views,
    texts_views,
    topics_views,
    views,
)
from assess.web.research.agreement import pair_views
from assess.web.research.agreement import views as agreement_views
from assess.web.research.documents import downloads as document_downloads
from assess.web.research.documents import views as document_views
from assess.web.research.imports import upload_views
from assess.web.research.imports import views as import_views
from assess.web.research.people import imported_judge_views, invitation_views
from assess.web.research.people import views as member_views
from assess.web.research.pool import pairs_views as pool_pairs_views
from assess.web.research.pool import views as pool_views
from assess.web.research.settings import delete_views
from assess.web.research.settings import views as settings_views
from assess.web.research.shift import document_views as shift_document_views
from assess.web.research.shift import leader_views, score_views
from assess.web.research.shift import views as shift_views
from assess.web.research.work import (
    assign_views,
    monitor_views,
    people_views,
    pilot_views,
    sample_views,
    stopping_views,
)

app_name = "research"
OF_TOPIC = {"page": "stopping_topic"}
urlpatterns = [
    path("", overview_views.collection, name="collection"),
    path("overview/figures/", overview_views.figures, name="overview_figures"),
    path("find/", frame_views.search, name="find"),
    path("jobs/", frame_views.jobs, name="jobs"),
    path("files/<str:page>.zip", download_zip, name="files"),
    path("missing.txt", views.missing, name="missing"),
    path("judgements.csv", views.judgements_csv, name="judgements_csv"),
    path("qrels.txt", views.qrels, name="qrels"),
    path("", include(marginal)),
    path("", include(model_judges)),
    path("agreement/", agreement_views.agreement, name="agreement"),
    path("agreement.csv", download_table, {"page": "every_pair", "table": "agreement"}, "agreement_csv"),
    path("agreement/golds/", agreement_views.golds, name="agreement_golds"),
    path("agreement/topics/", agreement_views.topics, name="agreement_topics"),
    path("agreement/judges/", agreement_views.judges, name="agreement_judges"),
    path("agreement/time/", agreement_views.time, name="agreement_time"),
    path("agreement/tables/<str:table>.<str:file_type>", download_table, {"page": "agreement"}, "agreement_table"),
    path("agreement/charts/<str:figure>.<str:kind>", download_figure, {"page": "agreement"}, "agreement_chart"),
    path("agreement/<int:a>/<int:b>/", pair_views.pair, name="pair"),
    path("agreement/<int:a>/<int:b>/<str:table>.<str:file_type>", download_table, {"page": "pair"}, "pair_table"),
    path("imported/<int:file_id>/", imported_views.original, name="original"),
    path("import/", import_views.import_page, name="import"),
    path("import/paste/", import_views.paste, name="import_paste"),
    path("import/path/", import_views.server_path, name="import_path"),
    path("import/data-sets/", import_views.data_sets, name="import_data_sets"),
    path("import/data-sets/add/", import_views.add_data_set, name="import_data_set"),
    path("import/check/", import_views.check, name="import_check"),
    path("import/check/<uuid:check_id>/", import_views.preview, name="import_preview"),
    path("import/check/<uuid:check_id>/invalid.csv", import_views.problems_csv, name="import_problems"),
    path("import/check/<uuid:check_id>/start/", import_views.start, name="import_start"),
    path("import/undo/<int:record_id>/", import_views.undo, name="import_undo"),
    path("import/upload/", upload_views.create, name="upload_create"),
    path("import/upload/<uuid:upload_id>/", upload_views.state, name="upload"),
    path("import/upload/<uuid:upload_id>/chunk/", upload_views.chunk, name="upload_chunk"),
    path("import/upload/<uuid:upload_id>/finish/", upload_views.finish, name="upload_finish"),
    path("import/upload/<uuid:upload_id>/remove/", upload_views.remove, name="upload_remove"),
    path("audit/", audit_views.audit, name="audit"),
    path("audit.csv", audit_views.audit_csv, name="audit_csv"),
    path("judging/", judging_views.judging, name="judging"),
    path("judging/rules/", judging_views.rules, name="rules"),
    path("judging/guidelines/", judging_views.publish, name="publish"),
    path("judging/guidelines/preview/", judging_views.preview_guidelines, name="preview_guidelines"),
    path("judging/adaptive/", judging_views.adapt, name="adapt"),
    path("texts/", texts_views.texts, name="texts"),
    path("texts/", include(living_texts)),
    path("topics/", topics_views.topics, name="topics"),
    path("topics.csv", download_table, {"page": "topics", "table": "topics"}, "topics_csv"),
    path("topics/set/", topics_views.change_set, name="set_topics"),
    path("runs/", runs_views.runs, name="runs"),
    path("runs.csv", download_table, {"page": "runs", "table": "runs"}, "runs_csv"),
    path("runs/", include(living)),
    path("runs/group/", runs_views.change_group, name="group_runs"),
    path("pool/", pool_views.pool, name="pool"),
    *(
        path(f"pool/{name}.csv", download_table, {"page": "pool", "table": name}, f"pool_{name}_csv")
        for name in PAGES["pool"].tables
    ),
    path("pool/depths.<str:kind>", download_figure, {"page": "pool", "figure": "depths"}, "pool_depths_figure"),
    path("pool/overlap.<str:kind>", download_figure, {"page": "pool", "figure": "overlap"}, "pool_overlap_figure"),
    path("pool/pairs/", pool_pairs_views.pairs, name="pool_pairs"),
    path("pool/build/", pool_views.build, name="build_pool"),
    path("pool/undo/", pool_views.undo, name="undo_pool"),
    path("jobs/<uuid:job_id>/", job_views.job, name="job"),
    path("jobs/<uuid:job_id>/part/", job_panel.part, name="job_part"),
    path("jobs/<uuid:job_id>/cancel/", job_views.cancel_job, name="cancel_job"),
    path("baselines/", baselines_views.baselines, name="baselines"),
    path("engines/", include(engines)),
    path("models/ask/", include(asking)),
    path("near-duplicates/", include(near_duplicates)),
    path("search/", include(search)),
    path("settings/", settings_views.settings, name="settings"),
    path("settings/texts/", settings_views.change_texts, name="change_texts"),
    path("settings/scale/", settings_views.change_scale, name="change_scale"),
    path("settings/reference/", settings_views.change_reference, name="change_reference"),
    path("settings/suggestions/", settings_views.change_suggestions, name="change_suggestions"),
    path("settings/archive/", settings_views.archive, name="archive"),
    path("settings/restore/", settings_views.restore, name="restore"),
    path("settings/delete/", delete_views.delete, name="delete"),
    path("people/", member_views.people, name="people"),
    path("people/allow/", member_views.allow, name="allow_sighted"),
    path("people/invite/", invitation_views.invite, name="invite"),
    path("people/invitations/<int:invitation_id>/revoke/", invitation_views.revoke, name="revoke_invitation"),
    path("people/imported/<int:judge_id>/", imported_judge_views.imported_judge, name="imported_judge"),
    path("people/imported/<int:judge_id>/change/", imported_judge_views.change, name="change_judge"),
    path("people/imported/<int:judge_id>/withdraw/", imported_judge_views.withdraw, name="withdraw_judge"),
    path("people/imported/<int:judge_id>/restore/", imported_judge_views.restore, name="restore_judge"),
    path("people/<int:member_id>/", member_views.person, name="person"),
    path("people/<int:member_id>/role/", member_views.change_role, name="change_role"),
    path("people/<int:member_id>/replace/", member_views.replace, name="replace_member"),
    path("people/<int:member_id>/remove/", member_views.remove, name="remove_member"),
    path("leave/", member_views.leave, name="leave"),
    path("", include(adjudication)),
    path("norming/", include(norming)),
    path("work/", monitor_views.work, name="work"),
    path("work/assessors.csv", download_table, {"page": "work", "table": "assessors"}, "work_assessors_csv"),
    path("work/topics.csv", download_table, {"page": "work", "table": "work-by-topic"}, "work_topics_csv"),
    path("work/activity.csv", download_table, {"page": "work", "table": "activity"}, "work_activity_csv"),
    path("work/activity.<str:kind>", download_figure, {"page": "work", "figure": "activity"}, "work_activity_figure"),
    path("work/state/", monitor_views.set_state, name="judging_state"),
    path("work/assign/", assign_views.assign, name="assign"),
    path("work/assign/preview/", assign_views.start_preview, name="preview_assign"),
    path("work/unassign/", assign_views.undo, name="unassign"),
    path("work/claims/", assign_views.claims, name="claims"),
    path("work/people/", people_views.people, name="work_people"),
    path("work/reassign/", people_views.reassign, name="reassign"),
    path("work/remind/", people_views.remind, name="remind"),
    path("work/pilot/", pilot_views.pilot, name="pilot"),
    path("work/stopping/", stopping_views.stopping, name="stopping"),
    path("work/stopping.csv", download_table, {"page": "stopping", "table": "stopping"}, "stopping_csv"),
    path(
        "work/stopping/completeness.<str:kind>",
        download_figure,
        {"page": "stopping", "figure": "completeness"},
        "stopping_completeness",
    ),
    path("work/stopping/sample/", sample_views.sample, name="sample"),
    path("work/stopping/<int:topic_id>/", stopping_views.topic, name="stopping_topic"),
    path("work/stopping/<int:topic_id>/curve.csv", download_table, OF_TOPIC | {"table": "gain"}, "stopping_curve"),
    path(
        "work/stopping/<int:topic_id>/curve-figure.<str:kind>",
        download_figure,
        OF_TOPIC | {"figure": "gain"},
        "stopping_figure",
    ),
    path(
        "work/stopping/<int:topic_id>/systems.csv",
        download_table,
        OF_TOPIC | {"table": "completeness"},
        "stopping_systems",
    ),
    path("work/pilot/<int:number>/undo/", pilot_views.undo, name="undo_pilot"),
    path("work/calibration/", include(calibration)),
    path("releases/", release_views.releases, name="releases"),
    path("releases/create/", release_views.create, name="create_release"),
    path("releases/<int:release_id>/", release_views.release, name="release"),
    path("releases/<int:release_id>/blindness/", release_views.blindness, name="release_blindness"),
    path("releases/<int:release_id>/release.zip", release_views.release_zip, name="release_zip"),
    path("releases/<int:release_id>/files/<path:file>", release_views.release_file, name="release_file"),
    path("documents/", document_views.documents, name="documents"),
    path("documents.<str:file_type>", download_table, {"page": "documents", "table": "documents"}, "documents_file"),
    path("documents/chosen.csv", document_downloads.chosen_csv, name="chosen_documents"),
    path("documents/<int:task>/", document_views.document, name="document"),
    path("documents/<int:task>/<str:table>.<str:file_type>", download_table, {"page": "document"}, "document_file"),
    path("documents/<int:task>/open/", document_views.open_grades, name="open_grades"),
    path("shift/", shift_views.shift, name="shift"),
    path("shift.csv", download_table, {"page": "shift", "table": "shift"}, "shift_csv"),
    path("shift.<str:kind>", download_figure, {"page": "shift", "figure": "slope"}, "shift_figure"),
    path("shift/leaderboard/", leader_views.leaderboard, name="leaderboard"),
    path("shift/golds/", shift_views.golds, name="shift_golds"),
    path("shift/swaps/", shift_views.swaps, name="shift_swaps"),
    path("shift/mixed/", shift_views.mixed, name="shift_mixed"),
    path("shift/intervals/", shift_views.intervals, name="shift_intervals"),
    path("shift/measures/", shift_views.measures, name="shift_measures"),
    path("shift/differences/", shift_views.differences, name="shift_differences"),
    path("shift/topics/", shift_views.topics, name="shift_topics"),
    path("shift/scores/", score_views.scores, name="shift_scores"),
    path("shift/swap/", shift_document_views.swap, name="swap"),
    path("shift/leverage/", shift_document_views.leverage, name="leverage"),
    path("shift/tables/<str:table>.<str:file_type>", download_table, {"page": "shift"}, "shift_table"),
    path("shift/figures/<str:figure>.<str:kind>", download_figure, {"page": "shift"}, "shift_chart"),
]
