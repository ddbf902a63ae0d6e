"""The values and defaults of options, without the code that uses them, so that `--help` does not load pandas."""

from pooling.choices import ROUNDING_NAMES

INTERVALS = (
    "default",
    "analytic",
    "bootstrap",
    "bootstrap_t",
    "bootstrap_t_topics",
    "goodness_of_fit",
    "jackknife",
    "jackknife_fisher",
    "jackknife_topics",
    "topics",
    "wilson",
)
OF_SOME_COEFFICIENTS = ("goodness_of_fit", "wilson")
OF_EVERY_COEFFICIENT = tuple(name for name in INTERVALS if name not in OF_SOME_COEFFICIENTS)

TOPICS_LEFT_OUT_ONCE = "jackknife_topics"  # the default on pages and of `assay kappa`: it covers topics, and is fast
SORTS = ("name", "value", "n")  # orders of the pairs of judges in a report
KAPPA_WEIGHTS = ("linear", "quadratic", "ordinal")  # of weighted kappa in a report; pages have the same
MANY_PAIRS = 30  # of which `assay kappa` lists the first
ADDED = ("icc", "generalisability", "marginals", "benchmarks")  # statistics that a report has only on request

COMMON_OR_OWN_TOPICS = ("common", "own")

# How much data an answer needs: common topics, share of the first 10 documents judged, and common documents of judges.
MIN_TOPICS, MIN_JUDGED, MIN_DOCUMENTS = 10, 0.5, 50
TOP = 10  # documents of each ranking whose judged share is reported

# What to do with irregular labels in the files of judges (agreement.judge_files).
LABEL_CHOICES = {
    "off_scale": ("error", "clip", "drop"),
    "duplicates": ("error", "first", "last", "highest", "lowest", "median"),
    "rounding": ROUNDING_NAMES,
    "decimals": ("error", "whole"),
    "negative": ("error", "not_judged", "off_scale"),
    "on_error": ("raise", "report"),
}
ESTIMATING = ("dawid_skene", "glad", "mace")  # rules of golds that estimate the errors of the judges
PEOPLE = "people:"  # before a rule: from the grades of people only
PAIRS_OF_SYSTEMS = ("all", "adjacent")  # whose differences who_judges counts
HELD_OUT = ("judgement", "judge")  # what compare_golds sets aside

# The gate of a candidate run (agreement.gate): the worsening that is accepted, the share of the first documents that
# may be unjudged, and what the bounds of unjudged documents are for.
MARGIN, MAX_UNJUDGED = 0.01, 0.2
GATE_BOUNDS = ("decide", "report")
