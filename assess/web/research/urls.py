from django.urls import include, path

from assess.web.research import audit_views, imported_views, job_views, judging_views, marginal_views, views

app_name = "research"
urlpatterns = [
    path("", views.collection, name="collection"),
    path("missing.txt", views.missing, name="missing"),
    path("judgements.csv", views.judgements_csv, name="judgements_csv"),
    path("qrels.txt", views.qrels, name="qrels"),
    path("marginal/", marginal_views.marginal, name="marginal"),
    path("marginal/answers.csv", marginal_views.answers_csv, name="marginal_answers"),
    path("marginal/pairs.csv", marginal_views.pairs_csv, name="marginal_pairs"),
    path("diversity.txt", marginal_views.diversity_qrels, name="diversity_qrels"),
    path("", include("assess.web.research.agreement.urls")),
    path("imported/<int:file_id>/", imported_views.original, name="original"),
    path("import/", include("assess.web.research.imports.urls")),
    path("audit/", audit_views.audit, name="audit"),
    path("audit.csv", audit_views.audit_csv, name="audit_csv"),
    path("judging/", judging_views.judging, name="judging"),
    path("judging/rules/", judging_views.rules, name="rules"),
    path("judging/guidelines/", judging_views.publish, name="publish"),
    path("judging/adaptive/", judging_views.adapt, name="adapt"),
    path("", include("assess.web.research.topics.urls")),
    path("", include("assess.web.research.runs.urls")),
    path("pool/", include("assess.web.research.pool.urls")),
    path("jobs/<uuid:job_id>/", job_views.job, name="job"),
    path("jobs/<uuid:job_id>/cancel/", job_views.cancel_job, name="cancel_job"),
    path("baselines/", include("assess.web.research.baselines.urls")),
    path("near-duplicates/", include("assess.web.research.near_duplicates.urls")),
    path("search/", include("assess.web.research.search.urls")),
    path("settings/", include("assess.web.research.settings.urls")),
    path("", include("assess.web.research.people.urls")),
    path("", include("assess.web.research.adjudication.urls")),
    path("work/", include("assess.web.research.work.urls")),
    path("releases/", include("assess.web.research.releases.urls")),
    path("", include("assess.web.research.documents.urls")),
    path("", include("assess.web.research.shift.urls")),
]
