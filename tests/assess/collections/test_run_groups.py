"""Runs that repeat one system belong to a group."""

import pytest
from django.db import IntegrityError, connection, transaction

from assess.collections.run_groups import group_runs, groups_by_system, matching_systems
from assess.deletion import delete_collection
from assess.errors import Refused
from assess.models import GroupedRun, ImportKind, RunGroup
from assess.transfer.runs import import_runs
from assess.transfer.undo import undo_import
from tests.assess.command_output import output_of, refusal, tables
from tests.factories import small_collection, write_runs


def test_runs_change_their_group_and_leave_it(collection):
    first = group_runs(collection, ["alpha", "beta"], "dense")
    assert (first.changed, first.same) == (2, 0)
    second = group_runs(collection, ["beta", "gamma"], "sparse")
    assert (second.changed, second.same) == (2, 0)
    assert groups_by_system(collection) == {"alpha": "dense", "beta": "sparse", "gamma": "sparse"}
    third = group_runs(collection, ["alpha", "beta", "beta"], "sparse")
    assert (third.changed, third.same) == (1, 1)
    assert list(RunGroup.objects.values_list("name", flat=True)) == ["sparse"]  # dense has no run any more
    group_runs(collection, ["alpha", "beta", "gamma"], "")
    assert groups_by_system(collection) == {}
    assert not RunGroup.objects.exists()


def test_a_group_may_have_the_name_of_one_of_its_runs(collection):
    group_runs(collection, ["alpha"], "alpha")
    group_runs(collection, ["beta"], "alpha")
    assert groups_by_system(collection) == {"alpha": "alpha", "beta": "alpha"}


@pytest.mark.parametrize(
    ("systems", "name", "sentence"),
    [
        (["alpha", "delta"], "dense", "There is no run 'delta' in small; nothing was changed."),
        ([], "dense", "Choose at least one run."),
        (["alpha"], "two words", "The name of a group is like that of a system, but 'two words' contains white space."),
        (["alpha"], "x" * 513, " has 513 bytes."),
        (["alpha"], "a\0b", "contains the control character U+0000."),
        (["alpha"], "beta", "The run 'beta' is not in the group, so the group needs another name."),
    ],
)
def test_invalid_changes_are_refused_and_change_nothing(collection, systems, name, sentence):
    group_runs(collection, ["gamma"], "sparse")
    before = tables()
    with pytest.raises(Refused) as refused:
        group_runs(collection, systems, name)
    assert sentence in str(refused.value)
    assert tables() == before


def test_patterns_name_several_runs(collection):
    assert matching_systems(collection, ["*ta", "alpha"]) == ["beta", "alpha"]
    with pytest.raises(Refused, match="There is no run 'x\\*' in small; nothing was changed"):
        matching_systems(collection, ["alpha", "x*"])


def test_a_run_with_the_characters_of_a_pattern_is_meant_itself(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, {"a[1]": {"1": ["a"]}, "a1": {"1": ["b"]}}))
    assert matching_systems(collection, ["a[1]"]) == ["a[1]"]


def test_runs_of_other_collections_are_unknown_and_groups_are_separate(collection):
    other = small_collection({"solo": {"1": ["a"]}}, slug="other")
    group_runs(other, ["solo"], "dense")
    with pytest.raises(Refused, match="There is no run 'solo'"):
        group_runs(collection, ["solo"], "dense")
    group_runs(collection, ["alpha"], "dense")
    assert groups_by_system(other) == {"solo": "dense"}
    assert RunGroup.objects.count() == 2


def test_database_refuses_a_name_twice(collection):
    RunGroup.objects.create(collection=collection, name="dense")
    with pytest.raises(IntegrityError), transaction.atomic():
        RunGroup.objects.create(collection=collection, name="dense")


def test_groups_disappear_with_their_runs(collection, tmp_path):
    import_runs(collection, write_runs(tmp_path, {"delta": {"1": ["q"]}}))
    group_runs(collection, ["alpha", "delta"], "dense")
    undo_import(collection, collection.imports.filter(kind=ImportKind.RUNS).first().pk)
    assert groups_by_system(collection) == {"alpha": "dense"}
    delete_collection("small", "small")
    assert not GroupedRun.objects.exists()
    assert not RunGroup.objects.exists()
    connection.check_constraints()


def test_command_groups_and_lists(collection):
    command = "group_runs", "--collection", "small"
    assert output_of(*command) == ["There are no groups."]
    lines = output_of(*command, "--group", "dense", "--run", "alpha", "--run", "*ta")
    assert lines == ["Changed the group of 2 runs; 0 belonged to it.", "dense: alpha, beta"]
    lines = output_of(*command, "--no-group", "--run", "alpha")
    assert lines == ["Changed the group of 1 run; 0 belonged to it.", "dense: beta"]


def test_command_refuses_what_it_cannot_do(collection):
    command = "group_runs", "--collection", "small"
    assert refusal(*command, "--run", "alpha") == "--run needs --group NAME or --no-group."
    assert refusal(*command, "--group", "dense") == "Choose at least one run."
    assert refusal(*command, "--group", "", "--run", "alpha").startswith("The name of a group is empty;")
    assert refusal(*command, "--group", "d", "--run", "x") == "There is no run 'x' in small; nothing was changed."
