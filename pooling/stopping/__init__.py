"""When to stop judging: the gain curve, estimates of what is missing, and stopping rules with their guarantees.

================= ==================================================== ===============================================
function          needs                                                states
================= ==================================================== ===============================================
gain_curve        judgements in their order                            relevant documents found by number judged
capture_recapture what two sources found                               completeness, if the sources are independent
target_method     a random sample with `target` relevant documents     recall with confidence
quantile_bound    a random sample of fixed size                        recall with confidence
sampled_recall    a random sample of all documents                     recall with an interval
elusion_recall    a random sample of the documents that are not judged recall with an interval
================= ==================================================== ===============================================
"""

from pooling.stopping.capture_recapture import CaptureRecapture, capture_recapture
from pooling.stopping.gain_curve import GainCurve, gain_curve
from pooling.stopping.quantile_bound import quantile_bound, quantile_number
from pooling.stopping.recall import RecallEstimate, elusion_recall, sampled_recall
from pooling.stopping.review import StoppingRule
from pooling.stopping.target_method import target_method

__all__ = [
    "CaptureRecapture",
    "GainCurve",
    "RecallEstimate",
    "StoppingRule",
    "capture_recapture",
    "elusion_recall",
    "gain_curve",
    "quantile_bound",
    "quantile_number",
    "sampled_recall",
    "target_method",
]
