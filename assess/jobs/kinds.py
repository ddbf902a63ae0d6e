"""The kinds of jobs. Each is a domain function with the collection and the job's input as arguments.

A job without a collection, such as the deletion of one, has only its input.

The functions are in higher layers, so they are named here and imported when a job runs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string

from assess.models import ImportKind


@dataclass(frozen=True)
class Kind:
    """`label` is what the pages show. `path` leads to the function, which returns a dataclass or JSON.

    A collection has at most `at_once` unfinished jobs of the kind. Jobs that only compute are not listed. The input of
    a confidential kind is deleted when the job ends. A kind that is resumed saves in steps, each of which can be
    repeated: if its worker is killed after the first step, the job is run again. A kind that is run once cannot be
    taken back: if its worker is killed, nobody knows whether it was done, and it is not run again.
    """

    label: str
    path: str
    at_once: int = 1
    is_listed: bool = True
    is_confidential: bool = False
    is_resumed: bool = False
    is_run_once: bool = False

    def function(self) -> Callable[..., Any]:
        function: Callable[..., Any] = import_string(self.path)
        return function


KINDS = {
    "build_pool": Kind("Build the pool", "assess.pools.building.build.build_pool"),
    "draw_sample": Kind("Draw the sample", "assess.pools.samples.draw.draw_sample"),
    "ask_engine": Kind("Ask a search engine", "assess.engines.ask.ask_engine", is_resumed=True),
    "preview_engine": Kind(
        "Try an engine with one topic", "assess.engines.preview.preview_engine", at_once=5, is_listed=False
    ),
    "ask_model": Kind("Ask a model", "assess.asking.ask.ask_model", at_once=4, is_resumed=True),
    "try_model": Kind("Try a model with three documents", "assess.asking.trial.try_model", at_once=4, is_listed=False),
    "top_up": Kind("Top up the pool", "assess.living.top_up.top_up", is_resumed=True),
    "judge_again": Kind(
        "Have changed documents judged again", "assess.living.judge_again.judge_again", is_resumed=True
    ),
    "find_conclusions": Kind(
        "Find conclusions that could change", "assess.living.conclusions.find_conclusions", at_once=3, is_listed=False
    ),
    "make_baselines": Kind("Make baseline runs", "assess.baselines.make.make_baselines"),
    "delete_collection": Kind("Delete the collection", "assess.deletion.delete_in_background"),
    "index": Kind("Index the documents", "assess.search.index.index_documents"),
    "search_report": Kind(
        "Compute what searching added", "assess.search.report.compute_report", at_once=5, is_listed=False
    ),
    "preview_assign": Kind("Preview the assignment", "assess.work.preview.preview"),
    "undo_pool": Kind("Undo the pool", "assess.pools.building.undo.undo_in_background"),
    "begin_learning": Kind("Start continuous active learning", "assess.pools.learning.begin.begin_in_background"),
    "train": Kind("Train the learner of a topic", "assess.pools.learning.train.train", at_once=50, is_listed=False),
    "preview_pool": Kind(
        "Preview the pool", "assess.pools.building.preview.compute_preview", at_once=5, is_listed=False
    ),
    "assign": Kind("Assign the tasks", "assess.pools.assign.assign"),
    "change_rules": Kind("Change the rules of judging", "assess.judging.rules.change_rules", is_resumed=True),
    "reassign": Kind("Reassign open work", "assess.work.reassigning.reassign_in_background"),
    "replace_member": Kind("Replace a person", "assess.people.removal.replace_in_background"),
    "preview_reassign": Kind(
        "Preview the reassignment", "assess.work.reassigning.compute_preview", at_once=5, is_listed=False
    ),
    "unassign": Kind("Undo assigning", "assess.pools.unassign.unassign_in_background", is_resumed=True),
    "shift": Kind("Rank the systems", "assess.analysis.pending.compute_shift", at_once=5, is_listed=False),
    **{
        f"shift_{name}": Kind(label, "assess.analysis.pending.compute_part", at_once=5, is_listed=False)
        for name, label in {
            "swap": "Explain a swap",
            "swaps": "Test the swapped pairs",
            "leverage": "Compute the leverage of documents",
            "mixed": "Rank the systems under mixed golds",
            "intervals": "Compute intervals of ranks",
            "correlations": "Compute intervals of rank correlations",
            "measures": "Rank the systems by several measures",
            "differences": "Test the differences of systems",
            "leaderboard": "Compute the leaderboard",
            "heat_map": "Draw the heat map of golds",
        }.items()
    },
    "shift_figures": Kind(
        "Draw the figures of the ranking", "assess.web.research.shift.drawing.draw_figures", at_once=5, is_listed=False
    ),
    "agreement_figures": Kind(
        "Draw the figures of the agreement",
        "assess.web.research.agreement.figures.draw_figures",
        at_once=5,
        is_listed=False,
    ),
    "agreement": Kind("Compute the agreement", "assess.analysis.pending.compute_agreement", at_once=5, is_listed=False),
    "trust": Kind(
        "Compare the model judges with people", "assess.model_judges.trust.compute_trust", at_once=5, is_listed=False
    ),
    "marginal": Kind(
        "Compare answers on marginal relevance", "assess.marginal.report.compute_report", at_once=5, is_listed=False
    ),
    "adjudicate": Kind("Choose documents to adjudicate", "assess.adjudication.adjudicate.adjudicate"),
    "prepare_runs": Kind("Prepare the runs", "assess.analysis.documents.pending.compute_runs", is_listed=False),
    "document_leverage": Kind(
        "Find the documents that move the ranking",
        "assess.analysis.documents.pending.compute_leverage",
        at_once=5,
        is_listed=False,
    ),
    "find_duplicates": Kind("Find near-duplicates", "assess.near_duplicates.find.find_pairs"),
    "check_files": Kind("Check the files", "assess.transfer.uploads.importing.check_uploads"),
    **{
        f"import_{kind}": Kind(f"Import {kind}", "assess.transfer.uploads.importing.import_uploaded")
        for kind in ImportKind.values
    },
    "undo_import": Kind("Undo an import", "assess.transfer.undo.undo_import"),
    "release": Kind("Release a gold", "assess.releases.freeze.release_in_background"),
    "reveal": Kind("Compute the reveal", "assess.teaching.reveal.prepare.prepare_reveal", is_listed=False),
    "backup": Kind("Back up the site", "assess.backups.schedule.back_up_as_scheduled"),
    "send_mail": Kind("Send an email", "assess.mail.deliver", is_confidential=True, is_run_once=True),
}
LISTED = tuple(name for name, kind in KINDS.items() if kind.is_listed)
