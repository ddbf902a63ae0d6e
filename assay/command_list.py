"""The commands by group, each with one line for `assay --help`. Listing them does not load Django."""

LIBRARY_COMMANDS = {
    "pool": "Build a pool from run files, or compare pooling strategies.",
    "live": "Make a run from a search engine.",
    "draw": "Draw the pairs that people grade, with known probabilities.",
    "kappa": "Measure the agreement of judges from qrels files.",
    "shift": "Rank systems under several golds and compare the rankings.",
    "topics": "Show how hard each topic is, and which decide a comparison.",
    "mix": "Rank systems under golds that mix the judges topic by topic.",
    "trust": "Say whether model judges may replace people.",
    "gate": "Say whether a candidate run is worse than the baseline.",
    "who_judges": "List the documents that people should grade next.",
    "drift": "Say whether a model judge answers differently than before.",
    "compare_golds": "Measure which rule of golds predicts a judgement best.",
    "check": "Check topics, documents, runs and judgements together.",
    "verify": "Verify a release, a backup or exported judgements.",
}

GROUPS: dict[str, dict[str, str]] = {
    "Start": {
        "demo": "Serve a small demo collection on this computer.",
        "serve": "Serve your own site.",
        "worker": "Run background jobs, next to another server.",
        "owner_link": "Print a one-time link that creates an owner's account.",
        "doctor": "Check the installation, the database and file permissions.",
        "docs": "Open the documentation in the browser.",
    },
    "Analyse files, without a database": LIBRARY_COMMANDS,
    "Work with a site on another computer": {
        "remote": "Import, pool, assign and export over the API of a site.",
    },
    "Build a collection": {
        "create_collection": "Create a collection with its scale and owner.",
        "change_collection": "Rename, describe, archive or restore a collection.",
        "delete_collection": "Delete a collection with everything in it.",
        "add_member": "Give a person a role in a collection.",
        "import_topics": "Import topics (TSV, JSONL or TREC).",
        "set_topics": "Put topics into the development or the test set.",
        "import_scale": "Import the scale from the labels of doccano.",
        "import_runs": "Import run files, one system each.",
        "group_runs": "Group the runs that repeat one system.",
        "make_baselines": "Make baseline runs (BM25, query likelihood, tf-idf).",
        "allow_host": "Allow the site to ask a search engine or a model.",
        "build_pool": "Choose the documents to judge from the runs.",
        "import_pool": "Import a pool that was made elsewhere.",
        "top_up": "Pool and assign what new runs have unjudged.",
        "undo_pool": "Undo the last build_pool while nothing of it is judged.",
        "draw_sample": "Draw a random sample for stopping rules and recall.",
        "undo_import": "List the imports, or undo one of them.",
        "withdraw_judge": "Leave an imported judge out of everything, or restore it.",
        "import_documents": "Import the texts of pooled documents (JSONL or TREC).",
        "changed_texts": "List judgements of texts that were replaced since.",
        "missing_documents": "List pooled documents without text.",
        "index_documents": "Index the documents, so that assessors can search.",
    },
    "Manage judging": {
        "ask_model": "Ask a model for the grades of the pool.",
        "pilot": "Let everybody judge the same few documents first.",
        "assign": "Assign every pooled task to several assessors.",
        "unassign": "Delete the assignments that nobody has begun.",
        "work": "Show what each judge has done, and a forecast.",
        "stopping": "Show what judging still finds, and whether it may stop.",
        "remind": "Remind assessors of their open documents by email.",
        "reassign": "Give an assessor's open tasks to others.",
        "set_judging": "Show or change the rules, pause or close judging.",
        "set_guidelines": "Publish a new version of the guidelines.",
        "adjudicate": "Let somebody decide disputed documents.",
        "undo_adjudication": "Take back disputed documents that are not decided.",
        "norming": "Let a group judge before and after a discussion.",
        "import_known_grades": "Add documents with known grades.",
        "calibration": "Show the practice of new assessors, or change its rules.",
        "permit_search": "Let assessors search the documents.",
        "find_duplicates": "Compare the documents to find near-duplicates.",
        "accept_duplicates": "Group the documents above a similarity.",
        "adapt_order": "Let an adaptive strategy choose the next documents.",
        "replay_learner": "Repeat what continuous active learning proposed, and compare.",
    },
    "People and their data": {
        "invite": "Print a link that gives people a role in a collection.",
        "change_role": "Give a member of a collection another role.",
        "remove_member": "Remove a person from a collection.",
        "deactivate_account": "Refuse sign-ins of a user, or allow them again.",
        "reset_link": "Print a link with which a user sets a new password.",
        "remove_second_factor": "Let a user sign in without a code.",
        "set_email": "Change the email address of a user.",
        "unlock_sign_in": "Check the passwords of a user again, after too many wrong ones.",
        "end_sessions": "Sign a user out in every browser.",
        "erase_person": "Erase a person; their grades stay or go.",
        "audit_log": "Write the audit log as CSV.",
        "purge": "Delete what has expired. Run it every night.",
    },
    "The site": {
        "status": "Show the state of the site, and what needs somebody to act.",
        "backup": "Write an archive of everything, while people judge.",
        "restore": "Replace the site's data with those of an archive.",
        "rehearse_restore": "Restore an archive to a database of its own, and verify it there.",
    },
    "Analyse and export": {
        "agreement_report": "Print the agreement of a collection's judges.",
        "ranking_shift": "Print how the ranking of systems changes with the gold.",
        "inconsistent_groups": "List the near-duplicates judged inconsistently.",
        "search_report": "Print what searching added beyond the runs.",
        "export_searches": "Write the recorded searches as CSV.",
        "export_pool": "Write the pooled pairs for doccano, TIRA's courses or a model.",
        "export_draw": "Write the random draw of what people judge, with probabilities.",
        "export_qrels": "Write a gold as a qrels file.",
        "create_release": "Freeze a gold with everything that belongs to it.",
        "export_release": "Write a release as a folder or a zip file.",
        "verify_release": "Compute a release again and compare.",
        "export_judgements": "Write the raw judgements as CSV.",
        "import_judgements": "Import the judgements of one or more judges (qrels or CSV).",
        "checkpoint": "Print a hash of the ledger to keep elsewhere.",
        "verify_ledger": "Rebuild the judgements from the ledger and compare.",
    },
}

# Commands of Django that people need most. The others work too: `assay help --commands` lists them.
DJANGO_COMMANDS = {
    "migrate": "Create or update the database tables.",
    "createsuperuser": "Create an administrator's account.",
    "changepassword": "Change a user's password.",
    "check": "Without files: check the settings; with --deploy, for production.",
    "shell": "Open a Python shell with the models loaded.",
}


def help_text(prog: str) -> str:
    """The text of `assay --help`."""
    lines = [
        f"Usage: {prog} [--data DIR] COMMAND [OPTIONS]",
        "",
        "Build information-retrieval test collections and measure how far their judges agree.",
    ]
    for title, commands in (GROUPS | {"Maintain the site (Django commands)": DJANGO_COMMANDS}).items():
        lines += ["", f"{title}:", *(f"  {name:<21}{summary}" for name, summary in commands.items())]
    lines += [
        "",
        "Options:",
        "  --data DIR           Use this data directory (default: ASSAY_DATA, or the platform's data directory)",
        "  --version            Print the version.",
        "  --help               Print this help.",
        "",
        f"`{prog} COMMAND --help` prints the options of a command.",
    ]
    return "\n".join(lines) + "\n"
