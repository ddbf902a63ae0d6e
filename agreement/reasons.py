"""Why a statistic may have no value, as keys and in words; `agreement.estimate` says what each means."""

REASONS = {
    "one_category": "one category",
    "no_overlap": "no overlap",
    "one_assessor": "one judge",
    "empty": "no judgements",
    "no_systems": "no systems",
    "no_identities": "judges not identified",
    "one_run": "one run",
    "one_system": "fewer than two systems",
    "all_tied": "all systems tied",
    "no_topics": "no topic in common",
    "one_topic": "fewer than two topics",
    "ties": "tied systems",
    "no_relevant": "nothing relevant",
    "no_nonrelevant": "nothing nonrelevant",
    "no_disagreement": "no disagreement",
    "singular": "singular covariance matrix",
    "no_standard_error": "no standard error",
    "one_item": "fewer than two items",
    "no_variance": "no variance",
    "no_second_document": "one document in each topic",
}
