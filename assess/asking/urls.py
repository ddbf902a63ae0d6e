"""The URLs of asking models, below `c/<slug>/models/ask/`."""

from django.urls import path

from assess.asking import prompt_views, views

urlpatterns = [
    path("", views.asking, name="asking"),
    path("new/", views.new, name="new_model_judge"),
    path("rules/", views.rules, name="model_rules"),
    path("policy/", views.policy, name="model_policy"),
    path("policy/end/", views.end, name="end_model_policy"),
    path("prompts/", prompt_views.prompts, name="prompts"),
    path("<int:model_id>/", views.judge, name="model_judge"),
    path("<int:model_id>/confirm/", views.confirm, name="confirm_model_host"),
    path("<int:model_id>/try/", views.try_first, name="try_model"),
    path("<int:model_id>/continue/", views.continue_work, name="continue_model_work"),
    path("<int:model_id>/secret/", views.secret, name="model_secret"),
    path("<int:model_id>/delete/", views.delete, name="delete_model_judge"),
    path("<int:model_id>/batch/", views.write_batch, name="write_model_batch"),
    path("<int:model_id>/batch/answers/", views.read_batch, name="read_model_batch"),
    path("<int:model_id>/answers.jsonl.gz", views.answers, name="model_answers"),
]
